package planner

import (
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestCorrectedGateIsNotLost: an accepted command that left the file is reported until
// another one in its place is accepted.
func TestCorrectedGateIsNotLost(t *testing.T) {
	t.Parallel()
	r := run{
		proposed: map[string][]string{"a": {"grep -q '\"x\"' f"}},
		spec:     engine.PlanSpec{Commands: map[string]loop.Gate{"grep -q '\"x\"' f": {}}},
		doc:      &document{plan: plan.Plan{Tasks: []plan.Task{{ID: "a", Commands: []string{"test -s f"}}}}},
	}
	if got, want := r.gateChanges(), `the plan's file was changed: task a has lost its gate "grep -q '"x"' f"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.spec.Commands["test -s f"] = loop.Gate{}
	if got := r.gateChanges(); got != "" {
		t.Errorf("after the corrected gate was accepted: %s", got)
	}
}
