package plan

import "ralph/internal/loop"

// What happens to the plan as a whole when its tasks are done: its gates are run
// on the tip.

func (s *State) takeProofBegan(e ProofBegan) string {
	switch {
	case s.Stage != Proving:
		return "the plan is not to be proved yet"
	case s.Final != "":
		return "loop " + s.Final + " looks already"
	}
	s.Final, s.FinalRests, s.FinalTurns = e.Loop, "", 1
	return ""
}

func (s *State) takeProof(e Proof) string {
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
