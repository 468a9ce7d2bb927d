package view

import (
	"testing"

	"ralph/internal/loop"
)

// TestFindingOfAValue: a gate that measures shows its value and its threshold, and where the
// value is enough, what else failed.
func TestFindingOfAValue(t *testing.T) {
	t.Parallel()
	coverage := func(verdict loop.Verdict, value float64, tests *loop.Tests, reason string) loop.Result {
		return loop.Result{Kind: loop.KindCoverage, Verdict: verdict, Value: &value, Threshold: new(80.0), Tests: tests, Reason: reason}
	}
	for want, r := range map[string]loop.Result{
		"89.6 % ≥ 80 % (17 passed)":                                 coverage(loop.Passed, 89.6, &loop.Tests{Run: 17}, ""),
		"89.6 % ≥ 80 %":                                             coverage(loop.Passed, 89.6, nil, ""),
		"failed, 79.5 % < 80 %":                                     coverage(loop.Failed, 79.5, nil, "too low"),
		"failed: it passes only with the changed judges":            coverage(loop.Failed, 100, nil, "it passes only with the changed judges"),
		"passed: the work has no line in which ralph makes mutants": {Kind: loop.KindMutation, Verdict: loop.Passed, Threshold: new(80.0), Reason: "the work has no line in which ralph makes mutants"},
		"passed": {Kind: loop.KindCommand, Verdict: loop.Passed, Reason: "exit code 0"},
	} {
		if got := finding(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
