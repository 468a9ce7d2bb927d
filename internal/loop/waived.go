package loop

// waivedProof is what is asked in the place of a proof that no test can give: the approval
// of a spec review where the loop has one and it does not stand for the proof already, else
// nothing.
func (s Spec) waivedProof() ProofPolicy {
	if s.Proof == ProofRequired && s.specReview() != "" {
		return ProofReview
	}
	return ProofNone
}

// withoutProof tells what an upheld dispute of the proof means.
func (s *State) withoutProof() string {
	if s.waivedProof() == ProofReview {
		return "no test has to fail without the work of this loop from now on; the approval of review " + s.specReview() + " stands for it"
	}
	return "no test has to fail without the work of this loop from now on; its verdict is " + Unproved + ", and accept asks you to confirm it"
}

func (s Spec) specReview() string {
	for _, g := range s.Gates {
		if g.IsSpecReview() {
			return g.Name
		}
	}
	return ""
}

// lastUnproved is the newest attempt that failed since nothing proves its work; nil is none.
func (s *State) lastUnproved() *Attempt {
	for i := len(s.Recent) - 1; i >= 0; i-- {
		if a := &s.Recent[i]; a.FailedGate == FailedProof && a.Proof != nil {
			return a
		}
	}
	return nil
}

// proofWaived is the upheld dispute of the proof; nil is none.
func (s *State) proofWaived() *Dispute {
	for i := range s.Disputes {
		if d := &s.Disputes[i]; d.OfProof && d.Ruling == Upheld {
			return d
		}
	}
	return nil
}
