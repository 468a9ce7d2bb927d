package view

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestGatesTimeCountsTheProof: the runs without the work are gates' time, too.
func TestGatesTimeCountsTheProof(t *testing.T) {
	t.Parallel()
	run := []loop.Result{{Gate: "tests", Verdict: loop.Passed, Duration: 2 * time.Second}}
	l := Loop{Attempts: []loop.Attempt{{N: 1, Results: run, Proof: &loop.Proof{Without: run}}}}
	if got := l.figures()[0].GatesMS; got != 4000 {
		t.Errorf("%d ms, want 4000", got)
	}
}
