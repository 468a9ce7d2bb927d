package proc

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A background process has left our session,
// like the orphans of a lost shim; a sweep for those spares it. The test has
// the process for itself: the sweep looks at all children of it.
func TestSweepSparesBackground(t *testing.T) {
	dir := t.TempDir()
	begun, over := filepath.Join(dir, "begun"), filepath.Join(dir, "over")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan HandoffResult, 1)
	go func() {
		got, _ := Background{Args: []string{"hold", begun, over}, OwnSession: true}.Start(ctx)
		done <- got
	}()
	appears(t, begun)
	self, err := readProcess(os.Getpid())
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
