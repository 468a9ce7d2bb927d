package enginetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// RunPlanStore is RunStore for plans.
func RunPlanStore[L engine.Lease[plan.State, plan.Event]](t *testing.T, open func(t *testing.T) engine.Store[plan.State, plan.Event, L]) {
	RunStore(t, func(t *testing.T) StoreFixture[plan.State, plan.Event, L] {
		return StoreFixture[plan.State, plan.Event, L]{
			Store: open(t),
			ID:    func(s plan.State) string { return s.ID },
			First: firstPlan,
			Next: func(t *testing.T, s plan.State) (plan.State, plan.Event) {
				e := plan.Read{Stamp: plan.Stamp{At: noon}, Tasks: []plan.ReadTask{{ID: "a", Digest: "d", Status: plan.Pending}}}
				next, err := plan.Apply(s, e)
				ok(t, err)
				return next, e
			},
			Closed: func(s plan.State) plan.State { s.Status = loop.StatusPassed; return s },
			Passed: func(s plan.State) plan.State { s.Status, s.Tip = loop.StatusPassed, "landed"; return s },
			Failed: func(s plan.State) plan.State { s.Status = loop.StatusFailed; return s },
			InPlan: func(id, in string) (plan.State, []byte) {
				spec, err := json.Marshal(engine.PlanSpec{ID: id, Ancestors: []string{"outermost", in}})
				if err != nil {
					panic(err)
				}
				return firstPlan(id), spec
			},
			Again: true,
			Same:  same[plan.State],
		}
	})
}

// RunLoopStore is RunStore for loops.
func RunLoopStore[L engine.Lease[loop.State, loop.Event]](t *testing.T, open func(t *testing.T) engine.Store[loop.State, loop.Event, L]) {
	RunStore(t, func(t *testing.T) StoreFixture[loop.State, loop.Event, L] {
		return StoreFixture[loop.State, loop.Event, L]{
			Store: open(t),
			ID:    func(s loop.State) string { return s.ID },
			First: firstLoop,
			Next: func(t *testing.T, s loop.State) (loop.State, loop.Event) {
				e := loop.Steered{Stamp: loop.Stamp{At: noon}, Text: "more"}
				next, err := loop.Apply(s, e)
				ok(t, err)
				return next, e
			},
			Closed: func(s loop.State) loop.State { s.Status, s.Reason = loop.Aborted, loop.Manual; return s },
			Passed: func(s loop.State) loop.State { s.Status, s.Reason = loop.StatusPassed, loop.Green; return s },
			Failed: func(s loop.State) loop.State { s.Status, s.Reason = loop.StatusFailed, loop.MaxAttempts; return s },
			InPlan: func(id, in string) (loop.State, []byte) {
				s := firstLoop(id)
				s.Parent, s.Task.Plan = in, &loop.InPlan{Title: in}
				return s, nil
			},
			Driven: func(id string) loop.State {
				s := firstLoop(id)
				s.Mode = loop.AgentDriven
				return s
			},
			Same: same[loop.State],
		}
	})
}

func firstPlan(id string) plan.State {
	return plan.Begin(id, "/"+id+".md", id, "b", "c", plan.Rules{Parallel: 1, PerTask: 1})
}

func firstLoop(id string) loop.State {
	gate := loop.Gate{Name: "tests", Kind: loop.KindCommand, Level: loop.Hard, Run: "true"}
	return loop.New(loop.Spec{ID: id, Task: loop.Task{Text: "do it"}, Agent: loop.Agent{Name: "a", Use: "script"}, Gates: []loop.Gate{gate}, Limits: loop.DefaultLimits()}, noon)
}

// same compares states by what a store keeps of them.
func same[S any](a, b S) bool { return cmp.Equal(a, b, cmpopts.EquateEmpty()) }
