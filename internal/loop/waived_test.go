package loop

import (
	"slices"
	"strings"
	"testing"
)

// unprovable plays an agent that disputes the proof in its second attempt.
func unprovable(t *testing.T, policy ProofPolicy, change ...func(*Spec)) *world {
	w := notRed(green2(newWorld(t, func(s *Spec) {
		asks(policy)(s)
		for _, c := range change {
			c(s)
		}
	})))
	w.agent = func(a Action) Outcome {
		if a.Attempt == 2 && len(w.s.Disputes) == 0 {
			return Outcome{End: EndDone, Dispute: w.s.DisputeIn("RALPH-DISPUTE: proof: no test can see how fast it logs")}
		}
		return Outcome{End: EndDone}
	}
	return w
}

// TestProofDisputed: upheld, the loop continues without a proof, with no attempt used, and its
// verdict stays unproved; dismissed, it continues as before.
func TestProofDisputed(t *testing.T) {
	t.Parallel()
	w := unprovable(t, ProofRequired)
	w.untilHuman()
	q := w.s.Open()
	if !strings.Contains(q.Text, "Attempt 1: nothing proves this change") || !strings.Contains(q.Text, "its verdict is unproved") || !slices.Equal(q.Options, []string{SayUphold, SayDismiss}) || w.s.Iteration != 2 {
		t.Fatalf("%+v", q)
	}
	if what := q.Dispute.About(); what != "that a test can prove its work" {
		t.Error(what)
	}
	w.refuses(Answered{Stamp: w.stamp(), Text: "uphold tests/**", By: "ann"})
	w.do(Answered{Stamp: w.stamp(), Text: "uphold", By: "ann"})
	s := w.ends(StatusPassed, Green, 2)
	found := s.Concerns()
	if s.Proof != ProofNone || s.ProofLabel() != Unproved || len(s.MayChange) > 0 {
		t.Errorf("%s, %s, %v", s.Proof, s.ProofLabel(), s.MayChange)
	}
	if len(found) != 1 || found[0].Code != ConcernUnproved || !strings.Contains(found[0].What, "ann upheld that") {
		t.Errorf("%+v", found)
	}

	w = unprovable(t, ProofRequired)
	w.untilHuman()
	w.do(Answered{Stamp: w.stamp(), Text: "dismiss", By: "ann"})
	if s := w.run(); s.Status != StatusFailed || s.Last().FailedGate != FailedProof || s.Proof != ProofRequired {
		t.Errorf("%s, %+v", s.Status, s.Last())
	}
}

// TestProofWaivedForReview: where the loop has a spec review, its approval takes the place of
// the proof.
func TestProofWaivedForReview(t *testing.T) {
	t.Parallel()
	spec := func(s *Spec) {
		s.Gates = append(s.Gates, Gate{Name: "spec", Kind: KindReview, Level: Hard, Review: &Review{Kind: SpecReview}})
	}
	w := unprovable(t, ProofRequired, spec)
	w.untilHuman()
	if !strings.Contains(w.s.Open().Text, "the approval of review spec stands for it") {
		t.Error(w.s.Open().Text)
	}
	w.do(Answered{Stamp: w.stamp(), Text: "uphold", By: "ann"})
	if s := w.ends(StatusPassed, Green, 2); s.Proof != ProofReview || s.ProofLabel() != "proved: by review" {
		t.Errorf("%s, %s", s.Proof, s.ProofLabel())
	}
}

// TestProofOfThatName: a gate with the name of the proof is meant by it, and where no proof is
// owed there is nothing to dispute.
func TestProofOfThatName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, asks(ProofRequired))
	if d := w.s.DisputeOf(FailedProof, "w", nil); !d.OfProof || w.s.CheckDispute(d) != nil {
		t.Errorf("%+v", d)
	}
	if w.s.CheckDispute(Dispute{Gate: FailedProof, Why: "w", Files: []string{"a_test.go"}}) == nil {
		t.Error("a dispute of the proof named files")
	}
	w.s.Gates[0].Name = FailedProof
	if d := w.s.DisputeOf(FailedProof, "w", nil); d.OfProof || !d.OfGate() || w.s.CheckDispute(d) != nil {
		t.Errorf("%+v", d)
	}
	w = newWorld(t, asks(ProofNone))
	if w.s.CheckDispute(Dispute{Gate: FailedProof, Why: "w"}) == nil {
		t.Error("a proof that nobody asks for was disputed")
	}
}
