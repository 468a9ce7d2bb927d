package move_test

import (
	"errors"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestPlanRefused: what cannot be moved is left as it is.
func TestPlanRefused(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, w *planWorld, c *clone, do func(*move.Mover) (move.MovedPlan, error)) error {
		t.Helper()
		was, _ := c.planHere()
		_, err := w.doPlan(c, do)
		now, _ := c.planHere()
		if err == nil || samePlan(was, now) != "" {
			t.Errorf("%v; it is %s now", err, now.Status)
		}
		return err
	}
	change := func(w *planWorld, c *clone, events ...plan.Event) {
		l, err := stored.PlansOf(c.Store).Acquire(t.Context(), "p", nil, false)
		w.ok(err)
		_, err = engine.CommitPlan(t.Context(), l, events...)
		w.ok(err)
		w.ok(l.Release(t.Context()))
	}
	t.Run("it is running", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "paused")
		l, err := stored.PlansOf(one.Store).Acquire(t.Context(), "p", nil, false)
		w.ok(err)
		if err := refused(t, w, one, outPlan(t.Context())); !errors.Is(err, engine.ErrRunning) {
			t.Error(err)
		}
		w.ok(l.Release(t.Context()))
		change(w, one, plan.Resumed{Stamp: later})
		if _, is := errors.AsType[*move.CutOffError](refused(t, w, one, outPlan(t.Context()))); !is {
			t.Error("a plan whose process died was moved")
		}
	})
	t.Run("a loop of it is running", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "paused")
		l, err := one.Acquire(t.Context(), "p-b", false)
		w.ok(err)
		if err := refused(t, w, one, outPlan(t.Context())); !errors.Is(err, engine.ErrRunning) {
			t.Error(err)
		}
		w.ok(l.Release(t.Context()))
		_, err = w.doPlan(one, outPlan(t.Context()))
		w.ok(err)
		held, err := w.there.Acquire(t.Context(), "p-b", nil, false)
		w.ok(err)
		if err := refused(t, w, one, backPlan(t.Context())); !errors.Is(err, engine.ErrRunning) {
			t.Error(err)
		}
		if s, _ := w.planOnServer(); s.Move != nil {
			t.Error("the move began")
		}
		w.ok(held.Release(t.Context()))
	})
	t.Run("accepted", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "passed")
		change(w, one, plan.Accepted{Stamp: later, Branch: "main", Commit: "m"})
		if _, is := errors.AsType[*engine.ImmovableError](refused(t, w, one, outPlan(t.Context()))); !is {
			t.Error("it was moved")
		}
	})
	t.Run("archived", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "failed")
		w.ok(stored.PlansOf(one.Store).Archive(t.Context(), "p"))
		if _, is := errors.AsType[*engine.ImmovableError](refused(t, w, one, outPlan(t.Context()))); !is {
			t.Error("it was moved")
		}
	})
	t.Run("the names are taken", func(t *testing.T) {
		t.Parallel()
		w := newPlanWorld(t)
		one, two := w.clone("one"), w.clone("two")
		w.beginPlan(two, "paused")
		_, err := w.doPlan(two, outPlan(t.Context()))
		w.ok(err)
		w.now = w.now.Add(1)
		w.beginPlan(one, "failed")
		if err := refused(t, w, one, outPlan(t.Context())); !errors.Is(err, engine.ErrExists) {
			t.Error(err)
		}
		if err := refused(t, w, one, backPlan(t.Context())); !errors.Is(err, engine.ErrExists) {
			t.Error(err)
		}
	})
	t.Run("the name of a loop is taken", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "paused")
		_, err := w.there.Create(t.Context(), loop.New(loop.Spec{ID: "p-b", Base: "other", Branch: "ralph/p-b"}, noon), []byte(`{"id":"p-b"}`))
		w.ok(err)
		if err := refused(t, w, one, outPlan(t.Context())); !errors.Is(err, engine.ErrExists) {
			t.Error(err)
		}
		if _, is := w.planOnServer(); is {
			t.Error("the plan is on the server")
		}
	})
	t.Run("a loop of it alone", func(t *testing.T) {
		t.Parallel()
		_, one := planOfOne(t, "paused")
		for _, move := range []func(*move.Mover) (move.Moved, error){
			func(m *move.Mover) (move.Moved, error) { return m.Out(t.Context(), "p-b") },
			func(m *move.Mover) (move.Moved, error) { return m.Back(t.Context(), "p-b") },
		} {
			if _, is := errors.AsType[*engine.ImmovableError](func() error { _, err := one.do(move); return err }()); !is {
				t.Error("it was moved")
			}
		}
	})
	t.Run("a plan of it alone", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "nested")
		for _, id := range []string{"p-in", "p-half", "p-deep", "p-wait"} {
			for _, move := range []func(*move.Mover) (move.MovedPlan, error){
				func(m *move.Mover) (move.MovedPlan, error) { return m.OutPlan(t.Context(), id) },
				func(m *move.Mover) (move.MovedPlan, error) { return m.BackPlan(t.Context(), id) },
				func(m *move.Mover) (move.MovedPlan, error) { return m.AbandonPlan(t.Context(), id) },
			} {
				_, err := w.doPlan(one, move)
				if _, is := errors.AsType[*engine.ImmovableError](err); !is || !strings.Contains(err.Error(), "a task of plan p, and moves with that one only") {
					t.Errorf("%s: %v", id, err)
				}
			}
		}
	})
	t.Run("a plan of it is running", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "nested")
		l, err := stored.PlansOf(one.Store).Acquire(t.Context(), "p-deep", nil, false)
		w.ok(err)
		if err := refused(t, w, one, outPlan(t.Context())); !errors.Is(err, engine.ErrRunning) || !strings.Contains(err.Error(), "p-deep") {
			t.Error(err)
		}
		w.ok(l.Release(t.Context()))
		if r, _ := one.hasPlan("p-in"); !r.Archived {
			t.Error("a refused move listed a plan that has landed")
		}
		_, err = w.doPlan(one, outPlan(t.Context()))
		w.ok(err)
		held, err := w.plans.Acquire(t.Context(), "p-deep", nil, false)
		w.ok(err)
		if err := refused(t, w, one, backPlan(t.Context())); !errors.Is(err, engine.ErrRunning) || !strings.Contains(err.Error(), "p-deep") {
			t.Error(err)
		}
		if s, _ := w.planOnServer(); s.Move != nil {
			t.Error("the move began")
		}
		w.ok(held.Release(t.Context()))
	})
	t.Run("the name of a plan of it is taken", func(t *testing.T) {
		t.Parallel()
		w, one := planOfOne(t, "nested")
		l, err := w.plans.Create(t.Context(), plan.Begin("p-half", "x.md", "X", "x", "b", plan.Rules{}), nil)
		w.ok(err)
		w.ok(l.Release(t.Context()))
		if err := refused(t, w, one, outPlan(t.Context())); !errors.Is(err, engine.ErrExists) {
			t.Error(err)
		}
		if _, is := w.planOnServer(); is {
			t.Error("the plan is on the server")
		}
	})
	t.Run("it is nowhere", func(t *testing.T) {
		t.Parallel()
		w := newPlanWorld(t)
		one := w.clone("one")
		for _, do := range []func(*move.Mover) (move.MovedPlan, error){outPlan(t.Context()), backPlan(t.Context())} {
			if _, err := w.doPlan(one, do); !errors.Is(err, engine.ErrNotFound) {
				t.Error(err)
			}
		}
	})
}
