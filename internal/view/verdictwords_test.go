package view

import (
	"testing"

	"ralph/internal/loop"
)

// TestVerdictNamesTheProof: lists tell how the work of a passed loop was proved, as show does.
func TestVerdictNamesTheProof(t *testing.T) {
	t.Parallel()
	s := loop.State{
		Spec: loop.Spec{Proof: loop.ProofRequired}, Status: loop.StatusPassed, Reason: loop.Green, Commit: "0123456789",
		Recent: []loop.Attempt{{N: 1, Results: []loop.Result{{Gate: "tests", Verdict: loop.Passed}}, Proof: &loop.Proof{Red: loop.RedByBuild}}},
	}
	if got, want := verdictWords(s), "tests ✓ passed · on 0123456 · proved: red by build"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	ready := Loop{Results: s.Recent[0].Results, Proof: proofOf(s)}.ready()
	if want := "tests ✓ passed · proved: red by build"; ready.Evidence != want {
		t.Errorf("report: %q, want %q", ready.Evidence, want)
	}
	s.Spec.Proof, s.Recent[0].Proof = "", nil
	if got, want := verdictWords(s), "tests ✓ passed · on 0123456"; got != want {
		t.Errorf("of one that could not be asked: %q, want %q", got, want)
	}
}
