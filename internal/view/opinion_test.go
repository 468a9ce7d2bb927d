package view

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// What a reviewer says of how a task is to be done costs attempts: it is told.
func TestOpinionsAreTold(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]*plan.Opinion{
		"a  a reviewer does not agree to its plan: too vague": {Why: "too vague"},
		"a  its plan is written, and a reviewer agrees":       {Approve: true},
		"a  its plan is written; the work has not begun":      nil,
	} {
		e := plan.Stopped{Task: "a", Status: loop.StatusPassed, Output: "it stands in a file", Opinion: o}
		if got := strings.Join(PlanLines(plan.State{}, e, Palette{}), "\n"); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
