package exit

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/git"
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
		{loop.StatusPassed, loop.Green, Done},
		{loop.StatusFailed, loop.MaxAttempts, Failed},
		{loop.Aborted, loop.Manual, Failed},
		{loop.Aborted, loop.Budget, Limit},
		{loop.Waiting, loop.ForHuman, Human},
		{loop.Waiting, loop.ForLimit, Limit},
		{loop.Paused, loop.Budget, Limit},
		{loop.Paused, loop.ForLimit, Limit},
		{loop.Paused, "", Unfinished},
		{loop.Paused, loop.ForMove, Unfinished},
		{loop.Aborted, loop.Left, Unfinished},
		{loop.Running, "", Unfinished},
	} {
		l := loop.State{Status: c.status, Reason: c.reason}
		l.Agent.OnLimit = loop.LimitPause
		if got := CodeOf(engine.LoopOutcome(l)); got != c.want {
			t.Errorf("loop %s/%s: %d, want %d", c.status, c.reason, got, c.want)
		}
		if got := CodeOf(engine.PlanOutcome(plan.State{Status: c.status, Reason: c.reason})); got != c.want {
			t.Errorf("plan %s/%s: %d, want %d", c.status, c.reason, got, c.want)
		}
	}
	tool := loop.State{Status: loop.StatusFailed, Reason: loop.SetupError, BaseResults: []loop.Result{{Gate: "until", CannotStart: true}}}
	if got := CodeOf(engine.LoopOutcome(tool)); got != Missing {
		t.Errorf("a gate whose program is missing: %d", got)
	}
	if got := CodeOfStatus(engine.LoopOutcome(tool)); got != Failed {
		t.Errorf("the status of a loop whose gate's program is missing: %d", got)
	}
	for status, want := range map[loop.Status]int{loop.Running: Human, loop.Pending: Human, loop.Waiting: Human, loop.StatusPassed: Done, loop.Paused: Unfinished} {
		if got := CodeOf(engine.Outcome{Status: status, Crashed: true}); got != want {
			t.Errorf("%s without its process: %d, want %d", status, got, want)
		}
	}
	none := loop.State{Spec: loop.Spec{Proof: loop.ProofRequired, Gates: []loop.Gate{{Name: "lint", Kind: loop.KindLint}}}, Status: loop.StatusFailed, Reason: loop.SetupError, BaseGreen: true}
	if got := CodeOf(engine.LoopOutcome(none)); got != Config {
		t.Errorf("a loop that could not pass: %d", got)
	}
	tool.BaseResults = nil // the set-up failed before any gate
	if got := CodeOf(engine.LoopOutcome(tool)); got != Failed {
		t.Errorf("a set-up that failed: %d", got)
	}
	answered := loop.State{Status: loop.Paused, Unowned: true}
	if got := CodeOf(engine.LoopOutcome(answered)); got != Human {
		t.Errorf("an answered loop that nothing continues: %d", got)
	}
	waits := loop.State{Status: loop.Paused, Reason: loop.ForLimit} // a person paused it, not its rule
	if got := CodeOf(engine.LoopOutcome(waits)); got != Unfinished {
		t.Errorf("a loop that a person paused: %d", got)
	}
}

// TestWhatATeamSharesIsAway: like a server that is away, and no fault of the program. A disk that
// is full stays one.
func TestWhatATeamSharesIsAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{engine.ErrAway, Missing},
		{git.ErrRemote{URL: "/there.git", Err: errors.New("pre-receive hook declined")}, Missing},
		{engine.ErrFiles{Err: errors.New("no such folder")}, Missing},
		{engine.ErrFiles{Err: syscall.ENOSPC}, Internal},
	} {
		if got := Classify(fmt.Errorf("start: %w", c.err)); got.Code != c.want || got.Hint == "" {
			t.Errorf("%v: %d, %q", c.err, got.Code, got.Hint)
		}
	}
}
