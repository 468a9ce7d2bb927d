package move_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
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

var restsOfPlans = []string{"paused", "passed", "failed", "asks", "nested"}

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
			inner := w.innerHere(one)
			for n, c := range []*clone{one, two, one} {
				if n > 0 {
					done, err := w.doPlan(c, backPlan(t.Context()))
					w.ok(err)
					if done.Already || done.State.Status != was.Status {
						t.Errorf("moved here: %+v", done)
					}
				}
				s, _ := c.planHere()
				if diff := samePlan(was, s); diff != "" || s.File != "/"+c.home.Machine+"/plan.md" {
					t.Errorf("in clone %s, file %s (-was +is)\n%s", c.home.Machine, s.File, diff)
				}
				r, err := stored.PlansOf(c.Store).Read(t.Context(), "p")
				w.ok(err)
				if root := "/src/of/" + c.home.Machine; n > 0 && !strings.Contains(string(r.Spec), root) || strings.Contains(string(r.Spec), `"text":"dGV4dA`) {
					t.Errorf("the request in clone %s: %s", c.home.Machine, r.Spec)
				}
				if diff := cmp.Diff(inner, w.innerHere(c)); diff != "" {
					t.Errorf("plans in tasks' places in clone %s (-were +are)\n%s", c.home.Machine, diff)
				}
				done, err := w.doPlan(c, outPlan(t.Context()))
				w.ok(err)
				there, _ := w.planOnServer()
				if diff := samePlan(was, there); diff != "" || there.File != "plan.md" || done.State.Status != was.Status || done.Already {
					t.Errorf("on the server (-was +is)\n%s", diff)
				}
				for _, id := range w.ids {
					here, all := w.planJournal(c, id), w.planJournalThere(id)
					if diff := cmp.Diff(all[:len(here)], here); diff != "" || len(all) != len(here)+1 {
						t.Errorf("the journals of %s differ (-there +here, which lacks the arrival)\n%s", id, diff)
					}
				}
				if all := w.settled(one, two); !slices.Equal(all, w.whole("server")) {
					t.Errorf("it lives in %v", all)
				}
			}
			done, err := w.doPlan(one, outPlan(t.Context()))
			if err != nil || !done.Already {
				t.Errorf("moved again: %+v, %v", done.Already, err)
			}
			if how == "nested" {
				return
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
		hows, troubles := []string{"paused", "nested"}, []trouble{killAfter, failAfter}
		if tier.Long() {
			hows, troubles = restsOfPlans, append(troubles, killBefore, failBefore)
		}
		for _, how := range hows {
			for _, trouble := range troubles {
				if how == "nested" && trouble != killAfter && !tier.Long() {
					continue
				}
				t.Run(c.name+", "+how, func(t *testing.T) {
					t.Parallel()
					step := 13
					if how == "nested" {
						step = 37
					}
					if tier.Long() {
						step = 1
					}
					for at := 1 + int(trouble); ; at += step {
						w := newPlanWorld(t)
						one, two := w.clone("one"), w.clone("two")
						w.beginPlan(one, how)
						was := w.states(one)
						c.before(w, one, two)
						w.calls, w.at, w.trouble = 0, at, trouble
						mover := one
						if c.second {
							mover = two
						}
						_, err := w.doPlan(mover, c.move(t.Context()))
						reached := w.calls >= at
						if all := w.living(one, two); len(twice(all)) > 0 {
							t.Fatalf("call %d (%d): it lives in %v", at, trouble, all)
						}
						w.settle(mover, c.move(t.Context()))
						if all := w.settled(one, two); !slices.Equal(all, w.whole(c.to)) {
							t.Fatalf("call %d (%d): in the end it lives in %v", at, trouble, all)
						}
						for _, id := range w.ids {
							s, _ := w.planThere(id)
							files := w.files[id+"-b"]
							if c.to != "server" {
								r, _ := mover.hasPlan(id)
								s, files = r.State, w.approved(mover, id)
							}
							if files != "approved" {
								t.Fatalf("call %d (%d): the approved approach of %s is %q", at, trouble, id, files)
							}
							if diff := samePlan(was[id], s); diff != "" {
								t.Fatalf("call %d (%d): %s", at, trouble, diff)
							}
							here, there := w.planJournal(mover, id), w.planJournalThere(id)
							if n := min(len(here), len(there)); !slices.Equal(here[:n], there[:n]) {
								t.Fatalf("call %d (%d): the journals of %s differ\n%s", at, trouble, id, cmp.Diff(there, here))
							}
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
	for how, step := range cutSteps() {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			for at := 1; ; at += step {
				w, one, was, reached := cutOffPlan(t, how, at)
				if !reached {
					break
				}
				w.settle(one, backPlan(t.Context()))
				if all := w.settled(one); !slices.Equal(all, w.whole("one")) {
					t.Fatalf("call %d: it lives in %v", at, all)
				}
				for id, s := range w.states(one) {
					if diff := samePlan(was[id], s); diff != "" {
						t.Fatalf("call %d: %s", at, diff)
					}
				}
				w.settle(one, outPlan(t.Context()))
				if all := w.settled(one); !slices.Equal(all, w.whole("server")) {
					t.Fatalf("call %d: then it lives in %v", at, all)
				}
			}
		})
	}
}

// cutSteps are the distances of the calls at which a move is cut off, of a plan with and without
// others in its tasks' places.
func cutSteps() map[string]int {
	if tier.Long() {
		return map[string]int{"paused": 1, "nested": 1}
	}
	return map[string]int{"paused": 11, "nested": 31}
}
