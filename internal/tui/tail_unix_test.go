//go:build unix

package tui

import (
	"os"
	"syscall"
	"testing"

	"ralph/internal/testing/tier"
)

// TestTailOfNoFile: an agent that puts a pipe or a link where its output should
// be holds up nothing.
func TestTailOfNoFile(t *testing.T) {
	t.Parallel()
	f, _ := newTail(t)
	if err := syscall.Mkfifo(f.path, 0o600); err != nil {
		tier.SkipLacking(t, "named pipes", err)
	}
	if _, _, err := f.read(); err == nil {
		t.Error("a pipe was read")
	}
	for _, to := range []string{"/dev/zero", "/dev/tty"} {
		_ = os.Remove(f.path)
		if err := os.Symlink(to, f.path); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.read(); err == nil {
			t.Errorf("a link to %s was read", to)
		}
	}
}
