package store

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestAForkedChildHoldsNoLock: between fork and exec a child has copies of all
// descriptors. A loop that was let go meanwhile is free all the same.
func TestAForkedChildHoldsNoLock(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := create(t, s, "a")
	child, err := unix.Dup(int(l.lock.Fd()))
	must(t, err)
	defer unix.Close(child)
	must(t, l.Release(t.Context()))
	next, err := s.Acquire(t.Context(), "a", false)
	must(t, err)
	must(t, next.Release(t.Context()))
}
