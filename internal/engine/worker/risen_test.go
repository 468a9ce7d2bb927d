package worker

import (
	"testing"

	"ralph/internal/loop"
)

// Only a hard gate of coverage that passed says that tests alone are the work.
func TestRisen(t *testing.T) {
	t.Parallel()
	of := func(value float64) loop.Result {
		return loop.Result{Gate: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Verdict: loop.Passed, Value: &value}
	}
	for name, c := range map[string]struct {
		change func(base, work *loop.Result)
		want   string
	}{
		"more":        {func(_, _ *loop.Result) {}, "gate coverage measures 80.50 %, and 70.00 % before it"},
		"as much":     {func(base, work *loop.Result) { base.Value = work.Value }, ""},
		"soft":        {func(_, work *loop.Result) { work.Level = loop.Soft }, ""},
		"failed":      {func(_, work *loop.Result) { work.Verdict = loop.Failed }, ""},
		"unknown":     {func(base, _ *loop.Result) { base.Value = nil }, ""},
		"unread":      {func(_, work *loop.Result) { work.Value = nil }, ""},
		"mutation":    {func(_, work *loop.Result) { work.Kind = loop.KindMutation }, ""},
		"other gates": {func(base, _ *loop.Result) { base.Gate = "other" }, ""},
	} {
		base, work := of(70), of(80.5)
		c.change(&base, &work)
		if got := risen(loop.State{BaseResults: []loop.Result{base}, Recent: []loop.Attempt{{Results: []loop.Result{work}}}}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
