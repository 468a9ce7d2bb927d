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
