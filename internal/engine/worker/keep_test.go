package worker

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestDiagnostics: the message of a failure branch has the end of what blocking gates
// printed, and nothing of a hidden one.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("noise\n", 50) + "want 3,\x1b[31m got 4\x1b[0m\n"
	s := loop.State{Ending: &loop.Ending{Status: loop.StatusFailed, Reason: loop.MaxAttempts}}
	s.Gates = []loop.Gate{{Name: "tests", Level: loop.Hard}, {Name: "secret", Level: loop.Hard, Hidden: true}, {Name: "lint", Level: loop.Soft}}
	s.Recent = []loop.Attempt{{N: 1, Results: []loop.Result{
		{Gate: "tests", Level: loop.Hard, Verdict: loop.Failed, Reason: "1 of 2 tests failed: TestSum", Excerpt: long, Tests: &loop.Tests{Failing: []string{"p:TestSum"}}},
		{Gate: "secret", Level: loop.Hard, Hidden: true, Verdict: loop.Failed, Reason: "the answer is 42", Excerpt: "the answer is 42"},
		{Gate: "lint", Level: loop.Soft, Verdict: loop.Failed, Excerpt: "style"},
	}}}
	text := failureMessage(s).Text
	for _, want := range []string{"\n    want 3, got 4", "Gate tests failed: 1 of 2 tests failed: TestSum", "failing: p:TestSum", "Gate secret failed"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, no := range []string{"42", "style", "\x1b"} {
		if strings.Contains(text, no) {
			t.Errorf("%q in:\n%s", no, text)
		}
	}
	if n := strings.Count(text, "noise"); n != mostLines-1 {
		t.Errorf("%d lines of noise", n)
	}
}
