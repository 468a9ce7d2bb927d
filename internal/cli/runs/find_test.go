package runs

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestMatch: what a name means, of the plans and loops whose ids begin with it.
func TestMatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		typed        string
		plans, loops []string
		want         string
		plan         bool
		several      []string
	}{
		"a whole id of a plan":                  {"night", []string{"night"}, []string{"night-t1", "night-t2"}, "night", true, nil},
		"a whole id of a loop":                  {"night-t1", nil, []string{"night-t1"}, "night-t1", false, nil},
		"a whole id of a loop before a longer":  {"fix", []string{"fix-all"}, []string{"fix"}, "fix", false, nil},
		"a plan before the loops of its tasks":  {"ni", []string{"night"}, []string{"night-t1", "night-t2"}, "night", true, nil},
		"a plan alone":                          {"ni", []string{"night"}, nil, "night", true, nil},
		"a loop alone":                          {"fi", nil, []string{"fix"}, "fix", false, nil},
		"a plan and a loop of its own":          {"ni", []string{"night"}, []string{"nine"}, "", false, []string{"night", "nine"}},
		"two plans":                             {"ni", []string{"night", "nine"}, nil, "", false, []string{"night", "nine"}},
		"two loops":                             {"ni", nil, []string{"night-t1", "nine"}, "", false, []string{"night-t1", "nine"}},
		"a whole id of a plan among other ones": {"night", []string{"night", "night-2"}, nil, "night", true, nil},
	} {
		id, isPlan, err := match(c.typed, c.plans, c.loops)
		if id != c.want || isPlan != c.plan {
			t.Errorf("%s: %q plan=%v, want %q plan=%v", name, id, isPlan, c.want, c.plan)
		}
		several, _ := errors.AsType[*engine.AmbiguousError](err)
		if (several != nil) != (c.several != nil) || several != nil && cmp.Diff(c.several, several.IDs) != "" {
			t.Errorf("%s: %v, want the list %v", name, err, c.several)
		}
	}
}

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
