package plan

import "ralph/internal/loop"

// takeLandBegan: one task lands at a time, onto the tip that stands.
func (s *State) takeLandBegan(e LandBegan) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing:
		return e.Task + " is not to be landed"
	case e.Onto == "":
		return "the tip is missing"
	}
	for i := range s.Tasks {
		if o := &s.Tasks[i]; o.Status == Landing && o.Onto != "" && o.ID != t.ID {
			return o.ID + " is being landed"
		}
	}
	t.Onto, s.Tip = e.Onto, e.Onto
	return ""
}

func (s *State) takeRepairing(e Repairing) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Onto == "":
		return e.Task + " is not being landed"
	case t.Repair != "":
		return "one repair is all that a landing gets"
	}
	t.Repair, t.Message = e.Loop, e.Why
	return ""
}

func (s *State) takeLanded(e Landed) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Onto == "":
		return e.Task + " is not being landed"
	case e.Commit == "":
		return "the commit is missing"
	}
	t.Status, t.Landed, t.Output, t.Message, t.Reason = Done, e.Commit, e.Output, "", ""
	t.Attempts += e.Attempts
	s.Attempts += e.Attempts
	s.Tip = e.Commit
	return ""
}

func (s *State) takeNotLanded(e NotLanded) string {
	t := s.Task(e.Task)
	if t == nil || t.Status != Landing {
		return e.Task + " is not to be landed"
	}
	t.Attempts += e.Attempts
	s.Attempts += e.Attempts
	t.Onto = ""
	s.fail(t, loop.Conflict, e.Message)
	return ""
}

func (s *State) takeProofBegan(e ProofBegan) string {
	if s.Stage != Proving {
		return "the plan is not to be proved yet"
	}
	s.Final = e.Loop
	s.FinalTries++
	return ""
}

func (s *State) takeProof(e Proof) string {
	if s.Stage != Proving {
		return "the plan is not to be proved yet"
	}
	s.Attempts += e.Attempts
	if !e.Passed {
		s.end(e.At, loop.StatusFailed, Unproved, e.Message)
		return ""
	}
	if e.Commit != "" {
		s.Tip = e.Commit
	}
	s.Proved = s.Tip
	return ""
}
