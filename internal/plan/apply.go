package plan

import (
	"fmt"
	"slices"

	"ralph/internal/loop"
)

// RefusedError says that an event cannot happen in a state.
type RefusedError struct {
	Event, Why string
}

func (e *RefusedError) Error() string { return fmt.Sprintf("plan: %s: %s", e.Event, e.Why) }

// Begin is the state of a plan that nobody has run yet.
func Begin(id, file, title, branch, base string, r Rules) State {
	return State{
		ID: id, File: file, Title: title, Branch: branch, Base: base, Tip: base,
		Rules: r, Status: loop.Pending, Stage: Working,
	}
}

// Apply is the state after an event. What cannot happen is refused with a
// *RefusedError, and changes nothing.
func Apply(s State, e Event) (State, error) {
	if !events.Has(e) {
		return State{}, &RefusedError{"", "not one of the machine's events"}
	}
	if _, after := e.(afterEnd); s.Status.Terminal() && !after {
		return State{}, &RefusedError{e.Name(), "the run has ended"}
	}
	s.Tasks = slices.Clone(s.Tasks)
	s.Findings = slices.Clone(s.Findings)
	s.Questions = slices.Clone(s.Questions)
	s.Settled = slices.Clone(s.Settled)
	if why := e.apply(&s); why != "" {
		return State{}, &RefusedError{e.Name(), why}
	}
	if at := e.When(); at.After(s.LastAt) {
		s.LastAt = at
	}
	s.advance(e.When())
	return s, nil
}
