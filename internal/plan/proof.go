package plan

import "ralph/internal/loop"

// What happens to the plan as a whole when its tasks are done: its gates are run
// on the tip.

// ProofBegan: a loop runs the plan's gates on the tip.
type ProofBegan struct {
	Stamp
	Loop string `json:"loop"`
}

func (ProofBegan) Name() string { return "proof_began" }

func (e ProofBegan) Describe() string { return "the plan's gates run on the result: loop " + e.Loop }

func (e ProofBegan) apply(s *State) string {
	switch {
	case s.Stage != Proving:
		return "the plan is not to be proved yet"
	case s.Final != "":
		return "loop " + s.Final + " looks already"
	}
	s.Final, s.FinalRests, s.FinalTurns = e.Loop, "", 1
	return ""
}

// Proof: what came of it. Commit is the new tip where it was mended.
type Proof struct {
	Stamp
	// Loop that looked; empty: none had to.
	Loop     string `json:"loop,omitempty"`
	Passed   bool   `json:"passed"`
	Commit   string `json:"commit,omitempty"`
	Message  string `json:"message,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
}

func (Proof) Name() string { return "proved" }

// Describe reports whether the plan's gates passed.
func (e Proof) Describe() string {
	if e.Passed {
		return "the plan's gates pass on the result"
	}
	return because("the plan's gates do not pass on the result", e.Message)
}

func (e Proof) apply(s *State) string {
	switch {
	case s.Stage != Proving:
		return "the plan is not to be proved yet"
	case e.Loop != "" && e.Loop != s.Final:
		return "loop " + e.Loop + " looked at less than there is now"
	}
	s.Attempts += e.Attempts
	s.FinalRests = ""
	if !e.Passed {
		// Its loop stays named: it has the evidence.
		s.end(e.At, loop.StatusFailed, Unproved, e.Message)
		return ""
	}
	s.Final = ""
	if e.Commit != "" {
		s.Tip, s.Accepted = e.Commit, ""
	}
	s.Proved = s.Tip
	return ""
}
