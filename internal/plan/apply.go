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
	s.Tasks = slices.Clone(s.Tasks)
	s.Findings = slices.Clone(s.Findings)
	s.Questions = slices.Clone(s.Questions)
	s.Settled = slices.Clone(s.Settled)
	if why := s.take(e); why != "" {
		return State{}, &RefusedError{Name(e), why}
	}
	if at := e.When(); at.After(s.LastAt) {
		s.LastAt = at
	}
	s.advance(e.When())
	return s, nil
}

func (s *State) take(e Event) string {
	switch e := e.(type) {
	case Read:
		return s.takeRead(e)
	case Resumed:
		return s.takeResumed(e)
	case Resolved:
		return s.takeResolved(e)
	case Noted:
		s.Note = e.Text
		return ""
	case Accepted:
		s.Accepted = e.Commit
		return ""
	}
	if s.Status.Terminal() {
		return "the run has ended"
	}
	switch e := e.(type) {
	case Opened:
		return s.takeOpened(e)
	case Started:
		return s.takeStarted(e)
	case Planning:
		return s.takePlanning(e)
	case Taken:
		return s.takeTaken(e)
	case Stopped:
		return s.takeStopped(e)
	case TaskWaits:
		return "" // the loop has it
	case LandBegan:
		return s.takeLandBegan(e)
	case Repairing:
		return s.takeRepairing(e)
	case Landed:
		return s.takeLanded(e)
	case Repaired:
		return s.takeRepaired(e)
	case NotLanded:
		return s.takeNotLanded(e)
	case Judged:
		return s.takeJudged(e)
	case ReviewHeld:
		return s.takeReviewHeld(e)
	case Woken:
		return s.takeWoken()
	case ProofBegan:
		return s.takeProofBegan(e)
	case Proof:
		return s.takeProof(e)
	case Asked:
		s.question(e.At, e.Question)
		return ""
	case Answered:
		return s.takeAnswered(e)
	case Found:
		s.find(e.Findings)
		return ""
	case PauseAsked:
		s.PauseAsked = true
		return ""
	case AbortAsked:
		return s.takeAbort(e)
	case Broken:
		return s.takeBroken(e)
	case Rested:
		return s.takeRested(e)
	}
	return "unknown event"
}
