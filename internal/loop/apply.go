package loop

import (
	"fmt"
	"strings"
)

// Refused is the error of an event that cannot happen in the present state.
type Refused struct {
	Event  string
	Status Status
	Step   Step
	Why    string
}

func (r *Refused) Error() string {
	return fmt.Sprintf("%s (%s is refused while the loop is %s)", r.Why, strings.ReplaceAll(r.Event, "_", " "), r.Status)
}

// Apply returns the state after e. It refuses what cannot happen; then the
// returned state is s. The new state shares no memory with s.
func Apply(s State, e Event) (State, error) {
	refuse := func(why string) (State, error) {
		return s, &Refused{Name(e), s.Status, s.Step, why}
	}
	switch {
	case Name(e) == "":
		return refuse("not one of the machine's events")
	case e.When().IsZero():
		return refuse("it does not say when")
	case s.Status.Terminal():
		n := s.clone()
		if why := n.takeAfterEnd(e); why != "" {
			return refuse(why)
		}
		return n, nil
	}
	n := s.clone()
	n.advance(e)
	if why := n.take(e); why != "" {
		return refuse(why)
	}
	if !midStep(e) {
		n.ceilings(e.When())
	}
	return n, nil
}

// take changes s by e, or says why e cannot happen.
func (s *State) take(e Event) (why string) {
	switch e := e.(type) {
	case Created:
		return s.takeCreated()
	case Ticked:
		return ""
	case Acquired:
		return s.takeAcquired()
	case PauseAsked:
		return s.takePause(e)
	case Resumed:
		return s.takeResumed()
	case AbortAsked:
		return s.takeAbort(e)
	case Asked:
		return s.takeAsked(e)
	case Restored:
		return s.takeRestored(e)
	case Steered:
		return s.takeSteered(e)
	case Answered:
		return s.takeAnswer(e)
	case Woke:
		return s.takeWoke(e)
	case SoftPassed:
		return s.takeSoft(e)
	case Switched:
		return s.takeSwitched(e)
	case BudgetWarned:
		return s.takeWarned(e)
	}
	if s.Status != Running {
		return "the loop is not running"
	}
	return s.takeStep(e)
}

// takeStep takes the events that only a running step can produce.
func (s *State) takeStep(e Event) (why string) {
	switch e := e.(type) {
	case Prepared:
		return s.takePrepared(e)
	case Held:
		return s.takeHeld(e)
	case BudgetSpent:
		return s.takeSpent(e)
	case AttemptBegan:
		return s.takeBegan(e)
	case Interrupted:
		return s.takeInterrupted(e)
	case AgentEnded:
		return s.takeAgentEnded(e)
	case Committed:
		return s.takeCommitted(e)
	case GateEnded:
		return s.takeGate(e)
	case WorkFailed:
		return s.takeWorkFailed(e)
	case Kept:
		return s.takeKept(e)
	case Tidied:
		return s.takeTidied(e)
	}
	return "unknown event"
}
