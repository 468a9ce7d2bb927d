package view

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/loop"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// All times are seen from this one, in a zone that is not UTC.
var zone = time.FixedZone("here", 2*3600)

func clockAt(h, m int) time.Time { return time.Date(2026, 11, 20, h, m, 0, 0, zone) }

var now = clockAt(12, 0)

func spec(id, task string) loop.Spec {
	return loop.Spec{
		ID: id, Mode: loop.Supervised, Project: "shop-api",
		Task:  loop.Task{ID: "t", Text: task},
		Agent: loop.Agent{Name: "claude", Use: "command"},
		Gates: []loop.Gate{
			{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "go test ./..."},
			{Name: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Run: "go test -cover ./...", Threshold: new(80.0)},
			{Name: "lint", Kind: loop.KindLint, Level: loop.Soft, Run: "golangci-lint run"},
		},
		Limits: loop.DefaultLimits(),
		Root:   "/home/me/shop-api", Base: "9f31c2e0aa11", Branch: "ralph/" + id,
	}
}

func started(id, task string, at time.Time) loop.State {
	s := loop.New(spec(id, task), at)
	s.Status, s.Step = loop.Running, loop.StepAgent
	s.Worktree, s.LastAt = "/home/me/.local/state/ralph/worktrees/shop-api-1f/"+id, at
	return s
}

func tests(commit string, failing ...string) loop.Result {
	r := loop.Result{
		Gate: "tests", Kind: loop.KindTests, Level: loop.Hard, Verdict: loop.Passed, Reason: "118 tests passed",
		Tests:  &loop.Tests{Run: 118, Failed: len(failing), Failing: failing},
		Commit: commit, Clean: true, Where: "gate", ExitCode: new(0), Duration: 41 * time.Second,
		StartedAt: clockAt(11, 0), OutputFile: "/repo/.git/ralph/loops/x/attempts/001/gates/tests.log", OutputSHA256: "ab12",
	}
	if len(failing) > 0 {
		r.Verdict, r.Reason, r.Fingerprint, r.ExitCode = loop.Failed, "1 of 118 tests failed", "c4d5e6f7", new(1)
		r.Excerpt = "=== RUN   TestBucket/parallel\n--- FAIL: TestBucket/parallel (0.00s)\n    bucket_test.go:88: Expected: 10, Received: 11\nFAIL\nexit status 1\n"
	}
	return r
}

func coverage(commit string, v float64) loop.Result {
	r := loop.Result{
		Gate: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Verdict: loop.Passed, Reason: "line coverage",
		Value: &v, Threshold: new(80.0), Commit: commit, Clean: true, ExitCode: new(0), Duration: 44 * time.Second,
	}
	if v < 80 {
		r.Verdict, r.Fingerprint, r.Reason = loop.Failed, "0badcafe", "line coverage is below the floor"
	}
	return r
}

func lint(commit string) loop.Result {
	return loop.Result{
		Gate: "lint", Kind: loop.KindLint, Level: loop.Soft, Verdict: loop.Failed, Reason: "2 findings",
		Commit: commit, Clean: true, ExitCode: new(1), Duration: 6 * time.Second,
	}
}

func failedAttempt(n int, a loop.Approach) loop.Attempt {
	return loop.Attempt{
		N: n, Approach: a, Agent: loop.Outcome{End: loop.EndDone}, Commit: "a41e77d0bb22", Changed: true, Files: []string{"bucket.go"},
		Results: []loop.Result{tests("a41e77d0bb22", "TestBucket/parallel"), coverage("a41e77d0bb22", 82.4)},
		Verdict: loop.Failed, FailedGate: "tests", Fingerprint: "c4d5e6f7", Error: "1 of 118 tests failed",
		StartedAt: clockAt(10, n), EndedAt: clockAt(10, n+1),
	}
}

func passed() Item {
	s := started("ralph-reject-expired-tokens-a1b2c3d4", "reject expired tokens", clockAt(9, 0))
	s.Recent = []loop.Attempt{failedAttempt(1, loop.Approach{}), {
		N: 2, Agent: loop.Outcome{End: loop.EndDone}, Commit: "b52f88e1cc33", Changed: true, Files: []string{"token.go", "token_test.go"},
		Notes:   []string{"changed tests that were there before: token_test.go"},
		Results: []loop.Result{tests("b52f88e1cc33"), coverage("b52f88e1cc33", 82.4), lint("b52f88e1cc33")}, Verdict: loop.Passed,
	}}
	s.Status, s.Reason, s.Message, s.Step = loop.StatusPassed, loop.Green, "every hard gate passed on one commit", loop.StepDone
	s.Iteration, s.Commit, s.EndedAt, s.Active = 2, "b52f88e1cc33", clockAt(11, 30), 192*time.Second
	s.Usage = loop.Usage{InputTokens: new(int64(200_000)), OutputTokens: new(int64(14_000)), CostMicroUSD: new(int64(612_000)), CostSource: "estimated"}
	return Item{State: s}
}

func exhausted() Item {
	s := started("ralph-price-service-00ff00ff", "price service", clockAt(8, 0))
	claim := failedAttempt(1, loop.Approach{})
	claim.Changed, claim.Files = false, nil
	last := failedAttempt(2, loop.Approach{})
	last.Results = []loop.Result{tests("a41e77d0bb22"), coverage("a41e77d0bb22", 71.25), lint("a41e77d0bb22")}
	last.FailedGate, last.Fingerprint, last.Error = "coverage", "0badcafe", "line coverage is below the floor"
	s.Recent = []loop.Attempt{claim, last}
	s.Limits.MaxIterations, s.Iteration = 2, 2
	end(&s, loop.StatusFailed, loop.MaxAttempts, "2 of 2 attempts used; last: line coverage is below the floor")
	return Item{State: s}
}

func stuckLoop() Item {
	s := started("ralph-rate-limiting-0123abcd", "rate limiting", clockAt(7, 0))
	s.Agent = loop.Agent{Name: "demo-script", Use: "script"}
	for n := 1; n <= 5; n++ {
		s.Recent = append(s.Recent, failedAttempt(n, loop.Approach{Shift: n > 3, Expand: n == 5}))
	}
	s.Iteration = 5
	end(&s, loop.StatusFailed, loop.Stuck, "the same failure 5 times in a row, also after 2 shifts of strategy: 1 of 118 tests failed")
	return Item{State: s}
}

func end(s *loop.State, st loop.Status, r loop.Reason, message string) {
	s.Status, s.Reason, s.Message, s.Step = st, r, message, loop.StepDone
	s.EndedAt, s.Active, s.Commit = clockAt(11, 0), 31*time.Minute, "a41e77d0bb22"
	s.FailureRef = "wip/ralph-fail-t-20261120-090000"
}

func timedOut() Item {
	s := started("ralph-slow-7", "the slow one", clockAt(6, 0))
	end(&s, loop.Aborted, loop.Timeout, "the loop's time of 1h0m0s is used up")
	s.FailureRef, s.Commit = "", ""
	return Item{State: s}
}

func alreadyGreen() Item {
	s := started("ralph-green-1", "make the tests pass", clockAt(11, 0))
	s.BaseResults, s.BaseGreen = []loop.Result{tests("9f31c2e0aa11"), coverage("9f31c2e0aa11", 91)}, true
	s.Status, s.Reason, s.Message, s.Step = loop.StatusPassed, loop.AlreadyGreen, "every gate already passes", loop.StepDone
	s.EndedAt = clockAt(11, 1)
	return Item{State: s}
}

func asking() Item {
	s := started("ralph-tax-rounding-0badcafe", "tax rounding", clockAt(11, 0))
	s.Iteration, s.Recent = 1, []loop.Attempt{{N: 1, Agent: loop.Outcome{End: loop.EndAsked}}}
	s.Questions = []loop.Question{{ID: "q1", Text: "Round half up or banker's rounding?", Options: []string{"half up", "bankers"}, Default: "half up", AskedAt: clockAt(11, 51)}}
	s.Status, s.Reason, s.Message, s.LastAt = loop.Waiting, loop.ForHuman, "Round half up or banker's rounding?", clockAt(11, 51)
	return Item{State: s}
}

func limited() Item {
	s := started("ralph-cart-totals-1", "cart totals", clockAt(11, 0))
	s.Iteration, s.Status, s.Reason, s.Message = 2, loop.Waiting, loop.ForLimit, "usage limit reached"
	s.Wake, s.LastAt = clockAt(15, 1), clockAt(11, 40)
	return Item{State: s}
}

func paused() Item {
	s := started("ralph-address-form-2", "address form", clockAt(10, 0))
	s.Iteration, s.Status, s.Message, s.LastAt = 1, loop.Paused, "paused on request", clockAt(11, 30)
	return Item{State: s}
}

func crashed() Item {
	s := started("ralph-order-totals-3", "order totals", clockAt(10, 30))
	s.Iteration = 3
	return Item{s, Facts{Crashed: true, Owner: "pid 4242 on mbp-7"}}
}

func atWork() Item {
	s := started("ralph-search-index-4", "search index", clockAt(11, 48))
	s.Iteration, s.Recent, s.Began = 3, []loop.Attempt{{N: 3, Approach: loop.Approach{Shift: true}}}, true
	s.LastAt = clockAt(11, 55)
	return Item{s, Facts{Live: true, Owner: "pid 77 on mbp-7"}}
}

// evil carries everything that could disturb a terminal or a page.
const evil = "\x1b[2J\x1b]0;owned\a\u202Egnp.exe\u200B\x00\xff`````\n# heading <img src=x onerror=alert(1)> [a](http://x) | @everyone $(rm -rf ~) 漢字漢字"

func hostileItem(evil string) Item {
	i := exhausted()
	s := &i.State
	s.ID = "hostile-1"
	s.Task = loop.Task{ID: "t", Text: evil, Criteria: []string{evil}}
	s.Agent.Name, s.Branch, s.Message, s.FailureRef = evil, evil, evil, "wip/"+evil
	s.Guidance = []string{evil}
	s.Questions = []loop.Question{{Text: evil, Answer: evil, Answered: true}}
	s.Recent[0].Notes, s.Recent[0].Files = []string{evil}, []string{evil}
	s.Recent[1].Error, s.Recent[1].Fingerprint = evil, evil
	r := &s.Recent[1].Results[1]
	r.Reason, r.Excerpt, r.Signal, r.OutputFile, r.Restored = evil, evil, evil, evil, []string{evil}
	i.Facts.Owner = evil
	return i
}

func everyItem() []Item {
	return []Item{exhausted(), passed(), stuckLoop(), timedOut(), alreadyGreen(), asking(), limited(), paused(), crashed(), atWork()}
}
