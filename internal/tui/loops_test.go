package tui

import (
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func spec(id, task string) loop.Spec {
	return loop.Spec{
		ID: id, Mode: loop.Supervised, Project: "shop-api",
		Task:  loop.Task{ID: "t", Text: task},
		Agent: loop.Agent{Name: "claude", Use: "command"},
		Gates: []loop.Gate{
			{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "go test ./..."},
			{Name: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Run: "go test -cover ./...", Threshold: new(80.0)},
		},
		Limits: loop.DefaultLimits(),
		Root:   "/home/me/shop-api", Base: "9f31c2e0aa11", Branch: "ralph/" + id,
	}
}

func begun(id, task string, at time.Time) engine.Loop {
	s := loop.New(spec(id, task), at)
	s.Status, s.Step, s.LastAt = loop.Running, loop.StepAgent, at
	return engine.Loop{State: s, Seq: 1}
}

func failedTests() loop.Result {
	return loop.Result{
		Gate: "tests", Kind: loop.KindTests, Level: loop.Hard, Verdict: loop.Failed, Reason: "1 of 118 tests failed",
		Tests: &loop.Tests{Run: 118, Failed: 1, Failing: []string{"TestBucket/parallel"}}, Fingerprint: "c4d5e6f7",
		Commit: "a41e77d0bb22", Duration: 41 * time.Second, ExitCode: new(1),
		Excerpt: "=== RUN   TestBucket/parallel\n--- FAIL: TestBucket/parallel (0.00s)\n\tbucket_test.go:88: Expected: 10, Received: 11\nFAIL\n",
	}
}

func covered() loop.Result {
	return loop.Result{
		Gate: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Verdict: loop.Passed, Reason: "line coverage",
		Value: new(82.4), Threshold: new(80.0), Commit: "a41e77d0bb22", Duration: 44 * time.Second,
	}
}

func attempt(n int) loop.Attempt {
	return loop.Attempt{
		N: n, Agent: loop.Outcome{End: loop.EndDone}, Commit: "a41e77d0bb22", Changed: true, Files: []string{"bucket.go"},
		Results: []loop.Result{failedTests(), covered()},
		Verdict: loop.Failed, FailedGate: "tests", Fingerprint: "c4d5e6f7", Error: "1 of 118 tests failed",
	}
}

func asking() engine.Loop {
	l := begun("ralph-tax-rounding-0badcafe", "tax rounding", clockAt(11, 0))
	s := &l.State
	s.Iteration, s.Recent = 1, []loop.Attempt{{N: 1, Agent: loop.Outcome{End: loop.EndAsked}}}
	s.Questions = []loop.Question{{ID: "q1", Text: "Round half up or banker's rounding?", Options: []string{"half up", "bankers"}, Default: "half up"}}
	s.Status, s.Reason, s.Message, s.LastAt = loop.Waiting, loop.ForHuman, s.Questions[0].Text, clockAt(11, 51)
	return l
}

func crashed() engine.Loop {
	l := begun("ralph-order-totals-3", "order totals", clockAt(10, 30))
	l.State.Iteration, l.Crashed = 3, true
	return l
}

func working() engine.Loop {
	l := begun("ralph-search-index-4", "search index", clockAt(11, 48))
	l.State.Iteration, l.State.Recent, l.State.Began = 3, []loop.Attempt{attempt(1), attempt(2), {N: 3}}, true
	l.State.Usage = loop.Usage{CostMicroUSD: new(int64(1_204_000)), CostSource: "reported"}
	l.Live, l.Owner = true, "pid 77 on mbp-7"
	return l
}

func limited() engine.Loop {
	l := begun("ralph-cart-totals-1", "cart totals", clockAt(11, 0))
	s := &l.State
	s.Iteration, s.Status, s.Reason, s.Message = 2, loop.Waiting, loop.ForLimit, "usage limit reached"
	s.Wake, s.LastAt = clockAt(15, 1), clockAt(11, 40)
	l.Live = true
	return l
}

func paused() engine.Loop {
	l := begun("ralph-address-form-2", "address form", clockAt(10, 0))
	s := &l.State
	s.Iteration, s.Status, s.Message, s.LastAt = 1, loop.Paused, "paused on request", clockAt(11, 30)
	return l
}

func exhausted() engine.Loop {
	l := begun("ralph-price-service-00ff00ff", "price service", clockAt(8, 0))
	s := &l.State
	s.Recent, s.Iteration, s.Limits.MaxIterations = []loop.Attempt{attempt(1), attempt(2)}, 2, 2
	s.Status, s.Reason, s.Message, s.Step = loop.StatusFailed, loop.MaxAttempts, "2 of 2 attempts used; last: 1 of 118 tests failed", loop.StepDone
	s.EndedAt, s.FailureRef, s.Commit = clockAt(11, 0), "wip/ralph-fail-t-20261120-090000", "a41e77d0bb22"
	return l
}

func passed() engine.Loop {
	l := begun("ralph-reject-expired-tokens-a1b2c3d4", "reject expired tokens", clockAt(9, 0))
	s := &l.State
	good := attempt(1)
	good.Results = []loop.Result{covered()}
	good.Verdict, good.FailedGate, good.Fingerprint, good.Error = loop.Passed, "", "", ""
	s.Recent, s.Iteration, s.Commit = []loop.Attempt{good}, 1, "b52f88e1cc33"
	s.Usage, s.CostUnknown = loop.Usage{CostMicroUSD: new(int64(310_000)), CostSource: "estimated"}, 1
	s.Status, s.Reason, s.Message, s.Step, s.EndedAt = loop.StatusPassed, loop.Green, "every hard gate passed on one commit", loop.StepDone, clockAt(11, 30)
	return l
}

// everyone is a night with a loop of each kind, newest first.
func everyone() []engine.Loop {
	return []engine.Loop{working(), limited(), asking(), crashed(), paused(), passed(), exhausted()}
}
