//go:build linux

package local_test

import (
	"runtime"
	"slices"
	"testing"

	"ralph/internal/engine/local"
	"ralph/internal/loop"
)

// dying is the desk's engine, in a process that is gone at the nth point that it
// passes; 0 is never. It returns the points.
func (d desk) dying(nth int, id string) (points []string) {
	d.t.Helper()
	e := local.New(d.store, d.hands, local.Options{Now: d.now, Fault: func(point string) {
		points = append(points, point)
		if len(points) == nth {
			runtime.Goexit()
		}
	}})
	done := make(chan error, 1)
	go func() {
		defer close(done)
		_, err := e.Check(d.t.Context(), id, "")
		done <- err
	}()
	must(d.t, <-done)
	return points
}

// TestAVerificationThatIsKilled: wherever the process of a check ends, the next check
// verifies again, with the same number, and no worktree is lost.
func TestAVerificationThatIsKilled(t *testing.T) {
	t.Parallel()
	begin := func() desk {
		d := newDesk(t)
		d.init("a", func(s *loop.Spec) { s.Verify = true })
		d.write("ok", "")
		return d
	}
	d := begin()
	points := d.dying(0, "a")
	d.released()
	first := slices.Index(points, "before:verify")
	if first < 0 || !slices.Contains(points[first:], "after:gate") {
		t.Fatalf("the points are %v", points)
	}
	for nth := first + 1; nth <= len(points); nth++ {
		d := begin()
		if n := len(d.dying(nth, "a")); n < nth {
			t.Fatalf("it passed %d points, not %d", n, nth)
		}
		l, err := d.Show(t.Context(), "a")
		must(t, err)
		if l.State.Status == loop.Running && (l.State.InVerification() || l.Crashed) {
			t.Errorf("killed at %s it is shown in step %s, crashed %v", points[nth-1], l.State.Step, l.Crashed)
		}
		d.stands(d.check("a"), loop.StatusPassed, loop.Green, 1)
		d.released()
	}
}

// released reports worktrees that an ended loop still has.
func (d desk) released() {
	d.t.Helper()
	trees, err := d.store.Trees(d.t.Context())
	must(d.t, err)
	for _, tree := range trees {
		if tree.Loop != "" {
			d.t.Errorf("worktree %s is still that of loop %s", tree.Path, tree.Loop)
		}
	}
}
