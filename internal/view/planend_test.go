package view

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestPlanEndIsShort: at the end of a run of many tasks those that failed stand
// first, then what is under way; the others are counted. Of few all are listed,
// and show lists all of any.
func TestPlanEndIsShort(t *testing.T) {
	t.Parallel()
	s := plan.State{ID: "p", Status: loop.Paused}
	for n := range 100 {
		s.Tasks = append(s.Tasks, plan.TaskState{ID: fmt.Sprintf("t%d", n), Title: "x", Status: plan.Pending})
	}
	s.Tasks[10].Status = plan.Running
	s.Tasks[90].Status = plan.Failed
	end, all := PlanOf(PlanItem{State: s, Facts: PlanFacts{}}, now).End(now, Palette{}), PlanOf(PlanItem{State: s, Facts: PlanFacts{}}, now).Show(now, Palette{})
	failed, running := strings.Index(end, "t90 "), strings.Index(end, "t10 ")
	if failed < 0 || running < failed || strings.Contains(end, "t11 ") || !strings.Contains(end, "… and 98 tasks more: ralph show p") {
		t.Errorf("at the end:\n%s", end)
	}
	if !strings.Contains(all, "t11 ") || strings.Contains(all, "more:") {
		t.Error("show leaves tasks out")
	}
	s.Tasks = s.Tasks[:mostListed]
	if end := PlanOf(PlanItem{State: s, Facts: PlanFacts{}}, now).End(now, Palette{}); !strings.Contains(end, "t11 ") || strings.Contains(end, "more:") {
		t.Errorf("of few:\n%s", end)
	}
}

// TestDeletedLoops: a task whose loop was deleted names it, and links to nothing; a plan of
// which only some loops were read claims nothing.
func TestDeletedLoops(t *testing.T) {
	t.Parallel()
	s := plan.State{ID: "p", Status: loop.StatusPassed, Tasks: []plan.TaskState{
		{ID: "kept", Status: plan.Done, Loop: "p-kept", Attempts: 1},
		{ID: "cleaned", Status: plan.Done, Loop: "p-cleaned", Attempts: 1},
		{ID: "begins", Status: plan.Running, Loop: "p-begins"},
		{ID: "child", Status: plan.Done, Loop: "p-child", Child: true, Attempts: 1},
	}}
	i := PlanItem{State: s, Whole: true, Loops: []Item{{State: loop.State{Spec: loop.Spec{ID: "p-kept"}}}}}
	for n, deleted := range []string{"", "p-cleaned", "", ""} {
		if got := PlanOf(i, now).AllTasks[n]; got.Deleted != deleted || (got.Loop == nil) != (deleted != "") {
			t.Errorf("%s: deleted %q, loop %v", got.ID, got.Deleted, got.Loop)
		}
	}
	i.State.Tasks[1].Status = plan.Failed
	if got := PlanOf(i, now).AllTasks[1]; got.Next != "ralph show p" {
		t.Errorf("a deleted loop is named: %s", got.Next)
	}
	i.State.Tasks[1].Status = plan.Done
	i.Whole = false
	if got := PlanOf(i, now).AllTasks[1]; got.Deleted != "" || got.Loop == nil {
		t.Errorf("not all loops were read: %+v", got)
	}
}
