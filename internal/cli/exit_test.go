package cli

import (
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestExitCodes: loops and plans that stand alike end a command alike.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status loop.Status
		reason loop.Reason
		want   int
	}{
		{loop.StatusPassed, loop.Green, exitDone},
		{loop.StatusFailed, loop.MaxAttempts, exitFailed},
		{loop.Aborted, loop.Manual, exitFailed},
		{loop.Aborted, loop.Budget, exitLimit},
		{loop.Waiting, loop.ForHuman, exitHuman},
		{loop.Waiting, loop.ForLimit, exitLimit},
		{loop.Paused, loop.Budget, exitLimit},
		{loop.Paused, loop.ForLimit, exitLimit},
		{loop.Paused, "", exitUnfinished},
		{loop.Running, "", exitUnfinished},
	} {
		l := loop.State{Status: c.status, Reason: c.reason}
		l.Agent.OnLimit = loop.LimitPause
		if got := codeOf(engine.LoopOutcome(l)); got != c.want {
			t.Errorf("loop %s/%s: %d, want %d", c.status, c.reason, got, c.want)
		}
		if got := codeOf(engine.PlanOutcome(plan.State{Status: c.status, Reason: c.reason})); got != c.want {
			t.Errorf("plan %s/%s: %d, want %d", c.status, c.reason, got, c.want)
		}
	}
	waits := loop.State{Status: loop.Paused, Reason: loop.ForLimit} // a person paused it, not its rule
	if got := codeOf(engine.LoopOutcome(waits)); got != exitUnfinished {
		t.Errorf("a loop that a person paused: %d", got)
	}
}
