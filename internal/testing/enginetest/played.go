package enginetest

import (
	"fmt"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Played is the request of a loop with one gate, "tests", for tests that play its events
// without a runner.
func Played(id string) loop.Spec {
	gate := loop.Gate{Name: "tests", Kind: loop.KindCommand, Level: loop.Hard, Run: "true"}
	return loop.Spec{
		ID: id, Task: loop.Task{ID: id, Text: "do it"}, Agent: loop.Agent{Name: "a", Use: "script"}, Base: "b", Root: "/r", Branch: "ralph/" + id,
		Gates: []loop.Gate{gate}, Limits: loop.DefaultLimits(),
	}
}

// Begun are the events after which the first attempt of a played loop begins.
func Begun(at journal.Stamp) []loop.Event {
	return []loop.Event{
		loop.Acquired{Stamp: at, Owner: "o"},
		loop.Prepared{Stamp: at, Worktree: "/w", GateTree: "/g"},
		loop.GateEnded{Stamp: at, Result: loop.Result{Gate: "tests", Commit: "b", Verdict: loop.Failed, Reason: "red"}},
	}
}

// Attempt are the events of attempt n, whose commit is cN. Its gate comes to a verdict.
func Attempt(at journal.Stamp, n int, v loop.Verdict) []loop.Event {
	commit := fmt.Sprintf("c%d", n)
	return []loop.Event{
		loop.AttemptBegan{Stamp: at},
		loop.AgentEnded{Stamp: at, Outcome: loop.Outcome{End: loop.EndDone}},
		loop.Committed{Stamp: at, Commit: commit, Changed: true, Differs: true},
		loop.GateEnded{Stamp: at, Result: loop.Result{Gate: "tests", Commit: commit, Verdict: v, Reason: "as it is"}},
	}
}

// Play commits events one by one, as a runner does.
func Play(t *testing.T, l engine.LoopLease, events ...loop.Event) error {
	t.Helper()
	for _, e := range events {
		next, err := loop.Apply(l.State(), e)
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		if _, begins := e.(loop.AttemptBegan); begins {
			_, err = l.CommitReserved(t.Context(), next, []loop.Event{e}, engine.Reserve{Until: e.When().Add(time.Hour)})
		} else {
			err = l.Commit(t.Context(), next, []loop.Event{e})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
