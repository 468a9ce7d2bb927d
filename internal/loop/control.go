package loop

import "time"

// The events people and other programs send.

func (s *State) takePause() string {
	switch {
	case s.Status == Paused:
		return "already paused"
	case s.Ending != nil:
		return "the loop is ending"
	case s.Status == Running && s.Mode == Supervised:
		s.PauseAsked = true
	default:
		s.Status, s.Message = Paused, "paused on request"
	}
	return ""
}

func (s *State) takeResumed() string {
	if s.PauseAsked {
		s.PauseAsked = false
		return ""
	}
	if s.Status != Paused {
		return "not paused"
	}
	s.Status, s.Message = Running, ""
	switch {
	case s.Open() != nil:
		s.Status, s.Reason, s.Message = Waiting, ForHuman, s.Open().Text
	case !s.Wake.IsZero():
		s.Status = Waiting
	default:
		s.Reason = ""
	}
	return ""
}

func (s *State) takeAbort(e AbortAsked) string {
	if s.Ending != nil {
		return "the loop is ending"
	}
	why := e.Why
	if why == "" {
		why = "aborted on request"
	}
	s.conclude(e.At, Aborted, Manual, why)
	return ""
}

func (s *State) takeAnswer(e Answered) string {
	q := s.Open()
	if q == nil {
		return "no question is open"
	}
	q.Answer, q.Answered = e.Text, true
	if s.Status == Waiting {
		s.Status, s.Reason, s.Message = Running, "", ""
	}
	if q.Work {
		s.Began = false
		s.Last().Agent.End = EndDone
		s.boundary(StepCommit)
	}
	return ""
}

func (s *State) takeWoke() string {
	if s.Status != Waiting || s.Reason == ForHuman {
		return "not waiting for a time"
	}
	s.Status, s.Reason, s.Message, s.Wake = Running, "", "", time.Time{}
	return ""
}

// wait makes the loop wait until at, consuming nothing.
func (s *State) wait(r Reason, at time.Time, message string) {
	s.Status, s.Reason, s.Wake, s.Message = Waiting, r, at, message
	if s.PauseAsked {
		s.Status, s.PauseAsked = Paused, false
	}
}
