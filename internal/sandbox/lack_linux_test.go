package sandbox

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/testing/tier"
)

// TestNoRoomForTrying: a full disk of temporary files makes no machine one without
// bubblewrap: nothing weaker is chosen, and nothing is remembered.
func TestNoRoomForTrying(t *testing.T) {
	top := t.TempDir()
	if err := unix.Mount("tmpfs", top, "tmpfs", 0, "size=64k,nr_inodes=1"); err != nil {
		tier.SkipLacking(t, "root (to mount a small disk)", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(top, unix.MNT_DETACH) })
	t.Setenv("TMPDIR", top)
	k := &Capabilities{Env: []string{"PATH=/usr/bin:/bin"}}
	if program, _ := findBubblewrap(k.Env); program == "" {
		tier.SkipLacking(t, "bubblewrap", nil)
	}
	by, err := k.Choose(t.Context(), loop.SandboxAuto, false)
	if by != loop.HeldNone || proc.CauseOf(err) != loop.CauseLack {
		t.Errorf("%q, %v", by, err)
	}
	t.Setenv("TMPDIR", filepath.Dir(top))
	if by, err := k.Choose(t.Context(), loop.SandboxAuto, false); err != nil || by == loop.HeldNone {
		t.Errorf("with room: %q, %v", by, err)
	}
}
