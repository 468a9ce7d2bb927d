package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestQuarantineIsTold: a quarantine that is over is told before the first attempt, of a loop and of
// a plan; a gate that passes only for one has a mark.
func TestQuarantineIsTold(t *testing.T) {
	t.Parallel()
	const line = "flaky   tests: its quarantine ended on 2026-01-15 (owner: nina)"
	gates := []loop.Gate{{Name: "tests", Run: "make", Flaky: loop.Flaky{Retries: 1, QuarantineUntil: "2026-01-15", Owner: "nina"}}}
	for day, want := range map[int]bool{15: false, 16: true} {
		at := time.Date(2026, 1, day, 12, 0, 0, 0, time.UTC)
		spec := loop.Spec{ID: "fix", Gates: gates}
		if got := Opening(loop.New(spec, at), Palette{Width: 80}); slices.Contains(got, line) != want {
			t.Errorf("a loop on day %d: %q", day, got)
		}
		if got := PlanOpening(PlanStart{Task: spec, Now: at}, Palette{Width: 80}); slices.Contains(got, line) != want {
			t.Errorf("a plan on day %d: %q", day, got)
		}
	}
	r := loop.Result{Gate: "tests", Verdict: loop.Passed, Tests: &loop.Tests{Run: 3}, Flaky: "red, then green"}
	if got := rowWords(r, 1); !strings.HasPrefix(got, "3 passed · attempt 1 · flaky, in quarantine · ") {
		t.Error(got)
	}
	if r.Verdict = loop.Failed; strings.Contains(rowWords(r, 1), "in quarantine") {
		t.Error(rowWords(r, 1))
	}
}
