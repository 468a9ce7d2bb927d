package plan

import "slices"

// clone returns a state whose lists an event may change in place: a State is a value, and a
// caller may keep one and apply different events to it. What a pointer or an element of a
// list refers to is replaced as a whole, never changed. A test finds a list that is missing
// here.
func (s State) clone() State {
	s.Tasks = slices.Clone(s.Tasks)
	s.Findings = slices.Clone(s.Findings)
	s.Questions = slices.Clone(s.Questions)
	s.LoopsUnanswered = slices.Clone(s.LoopsUnanswered)
	s.Ends = slices.Clone(s.Ends)
	s.Checks = slices.Clone(s.Checks)
	return s
}
