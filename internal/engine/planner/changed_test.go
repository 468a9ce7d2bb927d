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

// TestCheckThatComesWhileThePlanRuns: a task whose check a person was not shown when the
// plan began waits for a decision. Approved by the answer, the check runs; left out, the
// work of the task says so. What was shown at the beginning asks nothing.
func TestCheckThatComesWhileThePlanRuns(t *testing.T) {
	t.Parallel()
	const text = "# Plan\n\n## Task 1: a\n\nWrite a.\n\n**Verify:** `grep a a`\n"
	const more = "\n## Task 2: b\n\nWrite b.\n\n**Dependencies:** None\n\n**Verify:** `grep b b`\n"
	for answer, runs := range map[string]bool{"approve": true, "work without it": false} {
		asking := passes("a", "a")
		asking.asks = "a?"
		s := newStage(t, "plan.md", text, map[string]work{"task-1": asking, "task-2": passes("b", "b")})
		s.spec.Shown = []string{"grep a a"}
		if got := s.run(t, engine.Drive{}); got.Status != loop.Waiting || len(got.OpenQuestions()) != 0 {
			t.Fatalf("%s: %v", got.Status, got.OpenQuestions())
		}
		must(t, os.WriteFile(s.spec.File, []byte(text+more), 0o600))
		got, err := s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
		must(t, err)
		open := got.OpenQuestions()
		if len(open) != 1 || open[0].Task != "task-2" || !strings.Contains(open[0].Text, "grep b b") || got.Task("task-2").Tries != 0 {
			t.Fatalf("%s: asks %v", got.Status, open)
		}
		_, err = s.Send(t.Context(), s.spec.ID, engine.Command{Kind: engine.Answer, Text: answer})
		must(t, err)
		got, err = s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
		if must(t, err); got.Task("task-2").Status != "done" || len(got.OpenQuestions()) != 0 {
			t.Fatalf("%s: task-2 is %s, asks %v", answer, got.Task("task-2").Status, got.OpenQuestions())
		}
		spec := s.engine.all[s.engine.order[1]].State.Spec
		ran := slices.ContainsFunc(spec.Gates, func(g loop.Gate) bool { return g.Run == "grep b b" })
		if left := slices.Contains(spec.Task.Plan.Unchecked, "grep b b"); ran != runs || left == runs {
			t.Errorf("%s: the check runs: %t, is named as left out: %t", answer, ran, left)
		}
		approved, err := s.Approvals.Approved(t.Context(), s.spec.ID, digestOf("grep b b"))
		if must(t, err); approved != runs {
			t.Errorf("%s: approved: %t", answer, approved)
		}
	}
}
