package plan

// Budget is how many attempts all tasks may have together.
func (s *State) Budget() int {
	if s.Rules.Attempts > 0 {
		return s.Rules.Attempts
	}
	return 3 * len(s.Tasks)
}

// Left of the budget, when what runs takes all it may.
func (s *State) Left() int {
	left := s.Budget() - s.Attempts
	for i := range s.Tasks {
		switch t := &s.Tasks[i]; {
		case t.Rests == ForPerson:
		case t.Status == Running, t.Status == Approving:
			left -= t.Most
		case t.Status == Landing && t.Repair != "":
			left-- // a repair is one attempt
		}
	}
	return left
}

// most attempts of one loop.
func (s *State) most() int {
	if s.Rules.Chunks {
		return 1
	}
	return s.Rules.PerTask
}

// mostPlanning attempts of a loop that writes a task's plan.
const mostPlanning = 3
