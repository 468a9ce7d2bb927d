package move_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/testing/tier"
)

func outPlan(ctx context.Context) func(*move.Mover) (move.MovedPlan, error) {
	return func(m *move.Mover) (move.MovedPlan, error) { return m.OutPlan(ctx, "p") }
}

func backPlan(ctx context.Context) func(*move.Mover) (move.MovedPlan, error) {
	return func(m *move.Mover) (move.MovedPlan, error) { return m.BackPlan(ctx, "p") }
}

// samePlan compares states apart from what a move changes.
func samePlan(was, is plan.State) string {
	for _, s := range []*plan.State{&was, &is} {
		s.File, s.Origin, s.LastAt = "", nil, noon
	}
	return cmp.Diff(was, is, cmpopts.EquateEmpty())
}

var restsOfPlans = []string{"paused", "passed", "failed", "asks"}

// TestPlanThereAndBack: a plan has the same journal and the same state in the store where it
// arrives, with its loops, on another machine as well, and may go there again.
func TestPlanThereAndBack(t *testing.T) {
	t.Parallel()
	for _, how := range restsOfPlans {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			w := newPlanWorld(t)
			one, two := w.clone("one"), w.clone("two")
			was := w.beginPlan(one, how)
			for n, c := range []*clone{one, two, one} {
				if n > 0 {
					done, err := w.doPlan(c, backPlan(t.Context()))
					w.ok(err)
					if done.Already || done.State.Status != was.Status {
						t.Errorf("moved here: %+v", done)
					}
				}
				s, _, _ := c.planHere()
				if diff := samePlan(was, s); diff != "" || s.File != "/"+c.home.Machine+"/plan.md" {
					t.Errorf("in clone %s, file %s (-was +is)\n%s", c.home.Machine, s.File, diff)
				}
				r, err := stored.PlansOf(c.Store).Read(t.Context(), "p")
				w.ok(err)
				if root := "/src/of/" + c.home.Machine; n > 0 && !strings.Contains(string(r.Spec), root) || strings.Contains(string(r.Spec), `"text":"dGV4dA`) {
					t.Errorf("the request in clone %s: %s", c.home.Machine, r.Spec)
				}
				done, err := w.doPlan(c, outPlan(t.Context()))
				w.ok(err)
				there, _, _ := w.planOnServer()
				if diff := samePlan(was, there); diff != "" || there.File != "plan.md" || done.State.Status != was.Status || done.Already {
					t.Errorf("on the server (-was +is)\n%s", diff)
				}
				here, all := w.planJournal(c), w.planJournalThere()
				if diff := cmp.Diff(all[:len(here)], here); diff != "" || len(all) != len(here)+1 {
					t.Errorf("the journals differ (-there +here, which lacks the arrival)\n%s", diff)
				}
				plans, loops := w.living(one, two)
				if !slices.Equal(plans, []string{"server"}) || !slices.Equal(loops, []string{"p-a server", "p-b server"}) {
					t.Errorf("it lives in %v, its loops in %v", plans, loops)
				}
			}
			done, err := w.doPlan(one, outPlan(t.Context()))
			if err != nil || !done.Already {
				t.Errorf("moved again: %+v, %v", done.Already, err)
			}
			if w.landed != 3 || w.written != 2 || w.backed != 2 || w.left < 6 {
				t.Errorf("pushed %d, written %d, written back %d, trees handed back %d", w.landed, w.written, w.backed, w.left)
			}
		})
	}
}

// TestPlanTroubleAtEveryCall: the move of a plan is killed, or a call fails, at every call,
// before and after it had its effect. Neither the plan nor a loop of it ever lives in two
// stores, and the same command completes.
func TestPlanTroubleAtEveryCall(t *testing.T) {
	t.Parallel()
	ok := func(w *planWorld, c *clone, do func(*move.Mover) (move.MovedPlan, error)) {
		_, err := w.doPlan(c, do)
		w.ok(err)
	}
	for _, c := range []struct {
		name   string
		before func(w *planWorld, one, two *clone)
		move   func(context.Context) func(*move.Mover) (move.MovedPlan, error)
		to     string
		second bool
	}{
		{"out", func(*planWorld, *clone, *clone) {}, outPlan, "server", false},
		{"back", func(w *planWorld, one, _ *clone) { ok(w, one, outPlan(t.Context())) }, backPlan, "one", false},
		{"out again", func(w *planWorld, one, two *clone) {
			ok(w, one, outPlan(t.Context()))
			ok(w, two, backPlan(t.Context()))
			ok(w, two, outPlan(t.Context()))
			ok(w, one, backPlan(t.Context()))
		}, outPlan, "server", false},
		{"back to another clone", func(w *planWorld, one, _ *clone) { ok(w, one, outPlan(t.Context())) }, backPlan, "two", true},
	} {
		hows, troubles := []string{"paused"}, []trouble{killAfter, failAfter}
		if tier.Long() {
			hows, troubles = restsOfPlans, append(troubles, killBefore, failBefore)
		}
		for _, how := range hows {
			for _, trouble := range troubles {
				t.Run(c.name+", "+how, func(t *testing.T) {
					t.Parallel()
					step := 13
					if tier.Long() {
						step = 1
					}
					for at := 1 + int(trouble); ; at += step {
						w := newPlanWorld(t)
						one, two := w.clone("one"), w.clone("two")
						was := w.beginPlan(one, how)
						c.before(w, one, two)
						w.calls, w.at, w.trouble = 0, at, trouble
						mover := one
						if c.second {
							mover = two
						}
						_, err := w.doPlan(mover, c.move(t.Context()))
						reached := w.calls >= at
						if plans, loops := w.living(one, two); len(plans) > 1 || len(loops) > 2 {
							t.Fatalf("call %d (%d): it lives in %v, its loops in %v", at, trouble, plans, loops)
						}
						w.settle(mover, c.move(t.Context()))
						plans, loops := w.living(one, two)
						if !slices.Equal(plans, []string{c.to}) || !slices.Equal(loops, []string{"p-a " + c.to, "p-b " + c.to}) {
							t.Fatalf("call %d (%d): in the end it lives in %v, its loops in %v", at, trouble, plans, loops)
						}
						s, _, _ := w.planOnServer()
						files := w.files["p-b"]
						if c.to != "server" {
							s, _, _ = mover.planHere()
							files = w.approved(mover)
						}
						if files != "approved" {
							t.Fatalf("call %d (%d): the approved approach is %q", at, trouble, files)
						}
						if diff := samePlan(was, s); diff != "" {
							t.Fatalf("call %d (%d): %s", at, trouble, diff)
						}
						here, there := w.planJournal(mover), w.planJournalThere()
						if n := min(len(here), len(there)); !slices.Equal(here[:n], there[:n]) {
							t.Fatalf("call %d (%d): the journals differ\n%s", at, trouble, cmp.Diff(there, here))
						}
						if !reached {
							if err != nil {
								t.Fatalf("without trouble: %v", err)
							}
							return
						}
					}
				})
			}
		}
	}
}

// TestPlanTakenBack: a move away that was cut off is given up at every call, or found complete
// and turned round; the plan and its loops are here in the end, and may move again.
func TestPlanTakenBack(t *testing.T) {
	t.Parallel()
	step := 11
	if tier.Long() {
		step = 1
	}
	for at := 1; ; at += step {
		w, one, was, reached := cutOffPlan(t, at)
		if !reached {
			break
		}
		w.settle(one, backPlan(t.Context()))
		s, _, _ := one.planHere()
		if plans, loops := w.living(one); !slices.Equal(plans, []string{"one"}) || !slices.Equal(loops, []string{"p-a one", "p-b one"}) {
			t.Fatalf("call %d: it lives in %v, its loops in %v", at, plans, loops)
		}
		if diff := samePlan(was, s); diff != "" {
			t.Fatalf("call %d: %s", at, diff)
		}
		w.settle(one, outPlan(t.Context()))
		if plans, loops := w.living(one); !slices.Equal(plans, []string{"server"}) || !slices.Equal(loops, []string{"p-a server", "p-b server"}) {
			t.Fatalf("call %d: then it lives in %v, its loops in %v", at, plans, loops)
		}
	}
}

// TestPlanRefused: what cannot be moved is left as it is.
func TestPlanRefused(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, w *planWorld, c *clone, do func(*move.Mover) (move.MovedPlan, error)) error {
		t.Helper()
		was, _, _ := c.planHere()
		_, err := w.doPlan(c, do)
		now, _, _ := c.planHere()
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
		w := newPlanWorld(t)
		one := w.clone("one")
		w.beginPlan(one, "paused")
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
		w := newPlanWorld(t)
		one := w.clone("one")
		w.beginPlan(one, "paused")
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
		if s, _, _ := w.planOnServer(); s.Move != nil {
			t.Error("the move began")
		}
		w.ok(held.Release(t.Context()))
	})
	t.Run("accepted", func(t *testing.T) {
		t.Parallel()
		w := newPlanWorld(t)
		one := w.clone("one")
		w.beginPlan(one, "passed")
		change(w, one, plan.Accepted{Stamp: later, Branch: "main", Commit: "m"})
		if _, is := errors.AsType[*engine.ImmovableError](refused(t, w, one, outPlan(t.Context()))); !is {
			t.Error("it was moved")
		}
	})
	t.Run("archived", func(t *testing.T) {
		t.Parallel()
		w := newPlanWorld(t)
		one := w.clone("one")
		w.beginPlan(one, "failed")
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
		w := newPlanWorld(t)
		one := w.clone("one")
		w.beginPlan(one, "paused")
		_, err := w.there.Create(t.Context(), loop.New(loop.Spec{ID: "p-b", Base: "other", Branch: "ralph/p-b"}, noon), []byte(`{"id":"p-b"}`))
		w.ok(err)
		if err := refused(t, w, one, outPlan(t.Context())); !errors.Is(err, engine.ErrExists) {
			t.Error(err)
		}
		if _, _, is := w.planOnServer(); is {
			t.Error("the plan is on the server")
		}
	})
	t.Run("a loop of it alone", func(t *testing.T) {
		t.Parallel()
		w := newPlanWorld(t)
		one := w.clone("one")
		w.beginPlan(one, "paused")
		for _, move := range []func(*move.Mover) (move.Moved, error){
			func(m *move.Mover) (move.Moved, error) { return m.Out(t.Context(), "p-b") },
			func(m *move.Mover) (move.Moved, error) { return m.Back(t.Context(), "p-b") },
		} {
			if _, is := errors.AsType[*engine.ImmovableError](func() error { _, err := one.do(move); return err }()); !is {
				t.Error("it was moved")
			}
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
