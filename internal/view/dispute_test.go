package view

import (
	"slices"
	"testing"

	"ralph/internal/loop"
)

// TestRefusedDisputesStandOnce: the same dispute that is refused again and again is one
// line, and the note of each attempt does not repeat it.
func TestRefusedDisputesStandOnce(t *testing.T) {
	t.Parallel()
	s := loop.State{Status: loop.StatusFailed}
	for n := range 3 {
		s.Disputes = append(s.Disputes, loop.Dispute{Gate: "tests", Why: "it wants 3", Ruling: loop.Unheard})
		s.Recent = append(s.Recent, loop.Attempt{N: n + 1, Verdict: loop.Failed, Changed: true, Notes: []string{"the dispute of gate tests was refused: " + loop.ErrTooManyDisputes.Error()}})
	}
	got := lookTwice(s, Facts{})
	if want := []string{"the agent disputed gate tests: it wants 3 → refused: at most 2 disputes a loop (3 times)"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
