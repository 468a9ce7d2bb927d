package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestLookTwiceCounts: a report names what to look at in work that landed or can be accepted,
// each thing once; of other loops only what they may have left outside of their work.
func TestLookTwiceCounts(t *testing.T) {
	t.Parallel()
	of := func(id, parent string, st loop.Status, notes ...string) Item {
		s := loop.State{Status: st, Iteration: 1, Recent: []loop.Attempt{{N: 1, Notes: notes}}}
		s.ID, s.Parent, s.Task.Text, s.Agent.Name = id, parent, "task of "+parent, "works"
		if parent != "" {
			s.Task.Plan = &loop.InPlan{}
		}
		return Item{State: s}
	}
	obeyed := "changed /home/me/.claude/CLAUDE.md" + loop.ObeyedNote
	p := PlanItem{
		State: plan.State{ID: "p", Status: loop.StatusPassed, Tasks: []plan.TaskState{{ID: "a", Status: plan.Done, Loop: "p-a-2", Landed: "c1"}, {ID: "b", Status: plan.Failed, Loop: "p-b"}}},
		Loops: []Item{
			of("p-a", "p", loop.StatusFailed, "changed tests", obeyed), of("p-b", "p", loop.StatusFailed, "was rewritten", obeyed),
			of("p-a-2", "p", loop.StatusPassed, "changed tests", "changed tests"),
		},
		Whole: true,
	}
	own := []Item{of("failed", "", loop.StatusFailed, "changed tests"), of("passed", "", loop.StatusPassed, "rewrote history"), of("runs", "", loop.Running, "adds a file")}
	var got []string
	for _, n := range Summarize("shop", own, []PlanItem{p}, now).LookTwice {
		got = append(got, n.LoopID+": "+n.Note)
	}
	want := []string{
		"runs: attempt 1 adds a file", "passed: attempt 1 rewrote history", "p-a: " + obeyed, "p-a-2: attempt 1 changed tests",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
