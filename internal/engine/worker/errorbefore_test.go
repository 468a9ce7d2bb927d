package worker

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// An error that the base had, too, is not the work's.
func TestErrorBefore(t *testing.T) {
	t.Parallel()
	failed := loop.Result{Gate: "until", Verdict: loop.Error, Reason: "exit code 1, and no test results in the output", Fingerprint: "a"}
	for what, c := range map[string]struct {
		base, now func(*loop.Result)
		want      bool
	}{
		"the same":      {nil, nil, true},
		"another error": {func(r *loop.Result) { r.Fingerprint = "b" }, nil, false},
		"none known":    {func(r *loop.Result) { r.Fingerprint = "" }, func(r *loop.Result) { r.Fingerprint = "" }, false},
		"green before":  {func(r *loop.Result) { r.Verdict = loop.Passed }, nil, false},
		"tests failed":  {func(r *loop.Result) { r.Verdict = loop.Failed }, func(r *loop.Result) { r.Verdict = loop.Failed }, false},
		"another gate":  {func(r *loop.Result) { r.Gate = "lint" }, nil, false},
	} {
		base, now := failed, failed
		for r, change := range map[*loop.Result]func(*loop.Result){&base: c.base, &now: c.now} {
			if change != nil {
				change(r)
			}
		}
		s := loop.State{BaseResults: []loop.Result{base}}
		errorBefore(s, evaluation{}, &now)
		if got := strings.HasSuffix(now.Reason, "; the same error was there before any work"); got != c.want {
			t.Errorf("%s: %s", what, now.Reason)
		}
	}
	now, onBase := failed, evaluation{}
	onBase.OnBase = true
	if errorBefore(loop.State{BaseResults: []loop.Result{failed}}, onBase, &now); now.Reason != failed.Reason {
		t.Errorf("on the base: %s", now.Reason)
	}
}
