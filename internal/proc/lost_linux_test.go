package proc

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestASweepSparesTheBackground: what goes on in the background has left our session,
// as the orphans of a lost shim have; a sweep for those leaves it alone. The test has
// the process for itself: the sweep looks at all children of it.
func TestASweepSparesTheBackground(t *testing.T) {
	dir := t.TempDir()
	begun, over := filepath.Join(dir, "begun"), filepath.Join(dir, "over")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan Parted, 1)
	go func() {
		got, _ := Background{Args: []string{"hold", begun, over}, Apart: true}.Start(ctx)
		done <- got
	}()
	appears(t, begun)
	self, err := look(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	ended, left := sweepLost(self.identity, "lost")
	select {
	case got := <-done:
		t.Errorf("it was ended: %+v", got)
	case <-time.After(10 * time.Millisecond):
	}
	if ended != 0 || left != 0 {
		t.Errorf("%d were ended, %d are left", ended, left)
	}
	cancel()
	appears(t, over)
}
