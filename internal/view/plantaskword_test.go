package view

import (
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestATaskThatOnlyWaitsIsNotRunning: a task whose loop asks, or was answered while no
// process was there, has the same word in a plan's line and on its page.
func TestATaskThatOnlyWaitsIsNotRunning(t *testing.T) {
	t.Parallel()
	asking := loop.State{Spec: loop.Spec{ID: "p-a"}, Status: loop.Waiting, Reason: loop.ForHuman, Questions: []loop.Question{{Text: "Red?"}}}
	answered := loop.State{Spec: loop.Spec{ID: "p-a"}, Status: loop.Running, Iteration: 1}
	for name, c := range map[string]struct {
		loop             Item
		rests            loop.Reason
		word, mark, line string
	}{
		"asks":                        {Item{State: asking, Facts: Facts{Live: true}}, loop.ForHuman, "asks", "?", " · 1 asks"},
		"asks, not noted by the plan": {Item{State: asking, Facts: Facts{Live: true}}, "", "asks", "?", " · 1 asks"},
		"answered, no process":        {Item{State: answered, Facts: Facts{Crashed: true}}, loop.ForHuman, "waiting", "○", " · 1 waiting"},
		"answered, it works":          {Item{State: answered, Facts: Facts{Live: true}}, "", "running", "●", " · 1 running"},
	} {
		i := PlanItem{Loops: []Item{c.loop}, State: plan.State{
			ID: "p", Status: loop.Waiting, Reason: loop.ForHuman,
			Tasks: []plan.TaskState{{ID: "a", Status: plan.Running, Loop: "p-a", Rests: c.rests}},
		}}
		rows := i.tasks(now)
		if got := [3]string{taskStands(rows[0].PlanTask), taskMark(rows[0].PlanTask, Palette{}), tally(rows)}; got != [3]string{c.word, c.mark, c.line} {
			t.Errorf("%s: %q", name, got)
		}
	}
}
