package store

import (
	"path/filepath"
	"testing"

	"ralph/internal/testing/tier"

	"golang.org/x/sys/unix"
)

func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=512k"); err != nil {
		tier.SkipLacking(t, "root (to mount a small disk)", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(disk, 0)) })
	s, err := Open(t.Context(), filepath.Join(disk, "ralph"), Options{})
	must(t, err)
	l, err := s.Create(t.Context(), newState("a"), Admission{})
	must(t, err)
	must(t, commitUntilFull(t.Context(), s, l))
	if _, err := s.Create(t.Context(), newState("b"), Admission{}); err == nil {
		t.Error("a loop was created on a full disk")
	}
	onlyLoops(t, s, filepath.Join(disk, "ralph"), 1)
	must(t, unix.Mount("", disk, "", unix.MS_REMOUNT, "size=8m"))
	must(t, tick(t.Context(), l))
	if found, err := s.Check(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("Check: %v, %v", found, err)
	}
	must(t, l.Release(t.Context()))
	must(t, s.Close())
}
