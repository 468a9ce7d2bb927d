package planner

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestCommandIsCorrectedWhileItsLoopWaits: the user corrects and approves a command of a
// task whose loop waits for an answer. The old loop ends, and a new one has the new gate.
func TestCommandIsCorrectedWhileItsLoopWaits(t *testing.T) {
	t.Parallel()
	const text = "# Plan\n\n## Task 1: a\n\nWrite Ab into a.\n\n**Verify:** `grep AB a`\n"
	asking := passes("a", "old")
	asking.asks = "AB or Ab?"
	s := newStage(t, "plan.md", text, map[string]work{"task-1": asking, "task-1-2": passes("a", "Ab")})
	s.spec.Commands = map[string]loop.Gate{"grep AB a": CommandGate("grep AB a", "")}
	if got := s.run(t, engine.Drive{}); got.Status != loop.Waiting {
		t.Fatalf("%s: %s", got.Status, got.Message)
	}
	const now = "grep Ab a"
	must(t, os.WriteFile(s.spec.File, []byte(strings.Replace(text, "grep AB a", now, 1)), 0o600))
	must(t, s.Approve(t.Context(), s.spec.ID, now))
	former := s.engine.order[0]
	_, err := s.engine.Send(t.Context(), former, engine.Command{Kind: engine.Answer, Text: loop.SayDismiss})
	must(t, err)
	got, err := s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
	if must(t, err); got.Status != loop.StatusPassed {
		t.Errorf("the plan is %s: %s", got.Status, got.Message)
	}
	if st := s.engine.all[former].State.Status; st != loop.Aborted {
		t.Errorf("the old loop is %s", st)
	}
	gates := s.engine.all[former+"-2"].State.Gates
	runs := func(command string) bool {
		return slices.ContainsFunc(gates, func(g loop.Gate) bool { return g.Run == command })
	}
	if !runs(now) || runs("grep AB a") {
		t.Errorf("the new loop has the gates %v", gates)
	}
}
