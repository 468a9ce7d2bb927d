package runs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestTopmost: neither the loops of listed plans nor plans in the place of a task
// are offered where nothing is named.
func TestTopmost(t *testing.T) {
	t.Parallel()
	outer := engine.Plan{State: plan.State{ID: "outer"}}
	inner := engine.Plan{State: plan.State{ID: "inner"}, Spec: engine.PlanSpec{Ancestors: []string{"outer"}}}
	if got := Topmost([]engine.Plan{inner, outer}); len(got) != 1 || got[0].State.ID != "outer" {
		t.Errorf("topmost: %v", got)
	}
	if got := TopPlan(inner); got != "outer" {
		t.Errorf("top plan of the inner one: %s", got)
	}
	of := func(id, parent string, inPlan bool) engine.Loop {
		l := engine.Loop{State: loop.State{Spec: loop.Spec{ID: id, Parent: parent}}}
		if inPlan {
			l.State.Task.Plan = &loop.InPlan{}
		}
		return l
	}
	got := IDs(Apart([]engine.Loop{of("own", "", false), of("task", "outer", true), of("part", "outer", false)}, []engine.Plan{outer}))
	if diff := cmp.Diff([]string{"own", "part"}, got); diff != "" {
		t.Error(diff)
	}
}
