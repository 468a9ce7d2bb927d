package view

import (
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestPlanCountsAttemptsUnderWay: a plan counts the attempts of a loop before it has ended,
// as the list of its tasks does.
func TestPlanCountsAttemptsUnderWay(t *testing.T) {
	t.Parallel()
	s := plan.State{
		ID: "p", Status: loop.Running, Attempts: 2, Rules: plan.Rules{PerTask: 5},
		Tasks: []plan.TaskState{
			{ID: "a", Status: plan.Done, Loop: "p-a", Attempts: 2},
			{ID: "b", Status: plan.Running, Loop: "p-b"},
		},
	}
	o := PlanOf(PlanItem{State: s, Facts: PlanFacts{Live: true, Loops: map[string]loop.State{
		"p-b": {Status: loop.Running, Iteration: 3},
	}}}, now).Object
	if got := o.attemptsWords(); got != "5 of 10" {
		t.Errorf("attempts %s, want 5 of 10", got)
	}
	if got := o.Tasks[1].Attempts; got != 3 {
		t.Errorf("task b: %d attempts, want 3", got)
	}
}

// TestPlanBegunAnew: a report counts the attempts from before the plan was begun anew, as its
// costs do.
func TestPlanBegunAnew(t *testing.T) {
	t.Parallel()
	s := plan.State{
		ID: "p", Status: loop.StatusFailed, Attempts: 2, Rules: plan.Rules{PerTask: 5},
		Tasks: []plan.TaskState{{ID: "a", Status: plan.Failed, Loop: "p-a-2", Attempts: 2}},
	}
	old, newest := loop.State{Status: loop.StatusFailed, Iteration: 5}, loop.State{Status: loop.StatusFailed, Iteration: 2}
	old.ID, newest.ID = "p-a", "p-a-2"
	o := PlanOf(PlanItem{State: s, Whole: true, Loops: []Item{{State: old}, {State: newest}}}, now).Object
	if got := o.attemptsWords(); got != "2 of 5 in this run, 7 in all" {
		t.Errorf("attempts %s", got)
	}
}
