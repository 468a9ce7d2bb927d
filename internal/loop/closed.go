package loop

// A loop that has ended waits for a person until its work is accepted, its task is
// retried, or it is archived.

// Retried: a user started the task of a loop that has ended anew, in loop By, or accepted
// what that loop made of it.
type Retried struct {
	Stamp
	By string `json:"by"`
}

func (Retried) Name() string { return "retried" }

// Describe names the new loop.
func (e Retried) Describe() string { return "by " + e.By }

func (Retried) afterEnd() {}

func (e Retried) apply(s *State) string {
	switch {
	case !s.Status.Terminal():
		return "the loop has not ended"
	case e.By == "":
		return "the new loop is missing"
	}
	s.RetriedBy = e.By
	return ""
}

// Acceptable reports whether the loop has work of its own that waits to be accepted.
// That of an agent-driven loop is in the user's tree, that of a plan's is accepted with
// the plan. Work that met a conflict is done again by a retry.
func (s *State) Acceptable() bool {
	replaced := s.Clash != nil && s.RetriedBy != ""
	return s.Status == StatusPassed && s.Reason == Green && s.Accepted == "" && s.Mode != AgentDriven && !s.InPlan() && !replaced
}

// ClosedBy reports whether the loop needs no person once the work of another one, of the
// same task, is accepted.
func (s *State) ClosedBy(other State) bool {
	return s.ID != other.ID && s.Undecided() && s.Task.Text == other.Task.Text && !other.InPlan()
}

// Closed reports whether the loop has ended and nothing of it waits for a person.
func (s *State) Closed() bool {
	return s.Status.Terminal() && !s.Acceptable() && !s.Undecided()
}

// Undecided reports whether the loop ended without passing, or its work met a conflict,
// and no user has dealt with that yet: it was not retried, a user did not end it, and no
// plan tells of it.
func (s *State) Undecided() bool {
	if s.Conflict() != nil {
		return true
	}
	ended := s.Status == StatusFailed || s.Status == Aborted
	return ended && s.Reason != Manual && s.Reason != Imported && s.Reason != Left && s.RetriedBy == "" && !s.InPlan()
}
