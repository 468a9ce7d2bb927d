//go:build linux

package local_test

import (
	"testing"

	"ralph/internal/loop"
	"ralph/internal/store"
)

// TestEndOfTheLoopAround: a loop that the agent of a supervised loop began ends with
// that loop. One whose orchestration only has the name of such a loop goes on.
func TestEndOfTheLoopAround(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ended("outer")
	d.init("part", func(s *loop.Spec) { s.Parent = "outer" })
	d.stands(d.check("part"), loop.Running, "", 1)
	d.init("nested", func(s *loop.Spec) { s.Parent, s.Inside = "outer", "outer" })
	d.stands(d.check("nested"), loop.Aborted, loop.Policy, 0)
}

// ended records a supervised loop that has ended.
func (d desk) ended(id string) {
	d.t.Helper()
	ctx := d.t.Context()
	s := loop.New(d.spec(id, func(s *loop.Spec) { s.Mode = loop.Supervised }), d.now())
	lease, err := d.store.Create(ctx, s, store.Admission{})
	must(d.t, err)
	over := loop.AbortAsked{Stamp: loop.Stamp{At: d.now()}}
	s, err = loop.Apply(lease.State(), over)
	must(d.t, err)
	must(d.t, lease.Commit(ctx, s, []loop.Event{over}))
	must(d.t, lease.Release(ctx))
}
