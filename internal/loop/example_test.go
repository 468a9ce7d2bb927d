package loop_test

import (
	"fmt"
	"time"

	"ralph/internal/loop"
)

// A whole loop by hand: the gate fails once, then passes. Whoever runs the
// machine does nothing but answer what Next asks.
func Example() {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	stamp := func() loop.Stamp { at = at.Add(time.Minute); return loop.Stamp{At: at} }

	state := loop.New(loop.Spec{
		ID: "ralph-greet", Task: loop.Task{ID: "greet", Text: "Say hello."}, Base: "b0",
		Gates:  []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard}},
		Limits: loop.DefaultLimits(),
	}, at)
	apply := func(e loop.Event) {
		next, err := loop.Apply(state, e)
		if err != nil {
			fmt.Println(err)
			return
		}
		state = next
	}

	apply(loop.Acquired{Stamp: stamp(), Owner: "me"})
	for !state.Status.Terminal() {
		action := loop.Next(state)
		fmt.Println(action.Key)
		switch action.Do {
		case loop.DoPrepare:
			apply(loop.Prepared{Stamp: stamp(), Worktree: "/w", GateTree: "/g"})
		case loop.DoAgent:
			apply(loop.AttemptBegan{Stamp: stamp()})
			apply(loop.AgentEnded{Stamp: stamp(), Outcome: loop.Outcome{End: loop.EndDone, Words: "All done!"}})
		case loop.DoCommit:
			apply(loop.Committed{Stamp: stamp(), Commit: fmt.Sprintf("c%d", action.Attempt), Changed: true, Differs: true})
		case loop.DoGate:
			result := loop.Result{Gate: action.Gate.Name, Commit: action.Commit, Verdict: loop.Failed, Reason: "1 test fails"}
			if action.Attempt == 2 {
				result.Verdict, result.Reason = loop.Passed, "3 tests passed"
			}
			apply(loop.GateEnded{Stamp: stamp(), Result: result})
		case loop.DoTidy:
			apply(loop.Tidied{Stamp: stamp()})
		}
	}
	fmt.Println(state.Status, "on", state.Commit, "after", state.Active)
	apply(loop.AbortAsked{Stamp: stamp()})
	// Output:
	// ralph-greet/0/setup
	// ralph-greet/0/base/tests/0
	// ralph-greet/1/agent/0
	// ralph-greet/1/commit
	// ralph-greet/1/gates/tests/0
	// ralph-greet/2/agent/0
	// ralph-greet/2/commit
	// ralph-greet/2/gates/tests/0
	// ralph-greet/2/tidy
	// passed on c2 after 11m0s
	// the loop has ended (status: passed)
}
