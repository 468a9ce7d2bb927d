package view

import (
	"testing"

	"ralph/internal/plan"
)

// TestTaskNext holds what to type for a task of a plan.
func TestTaskNext(t *testing.T) {
	t.Parallel()
	item := PlanItem{State: plan.State{ID: "p"}}
	for name, c := range map[string]struct {
		task PlanTask
		want string
	}{
		"failed":             {PlanTask{Status: plan.Failed, record: plan.TaskState{Loop: "p-a"}}, "ralph show p-a"},
		"failed to land":     {PlanTask{Status: plan.Failed, record: plan.TaskState{Loop: "p-a", Repair: "p-a-fix"}}, "ralph show p-a-fix"},
		"failed with no run": {PlanTask{Status: plan.Failed}, "ralph show p"},
		"runs":               {PlanTask{Status: plan.Running, record: plan.TaskState{Loop: "p-a"}}, ""},
	} {
		if got := item.taskNext(c.task); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
