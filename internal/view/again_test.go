package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestBaseAgain: what a gate finds on the base as a verdict rests on it is no failure of the work.
func TestBaseAgain(t *testing.T) {
	t.Parallel()
	s := loop.State{Status: loop.Running, Step: loop.StepProof}
	e := loop.GateEnded{Result: loop.Result{Gate: "tests", Verdict: loop.Failed, Reason: "exit code 1", Duration: 2 * time.Second}}
	if got := strings.Join(Lines(s, Item{State: s}, e, time.Time{}, Palette{}), "\n"); !strings.Contains(got, "the base again: tests: failed: exit code 1 · 2") || strings.Contains(got, "✗") {
		t.Error(got)
	}
	if got := Plain(s, s, e)[0]; !strings.Contains(got, "on=base") {
		t.Error(got)
	}
}
