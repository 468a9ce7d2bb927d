package loop

import (
	"ralph/internal/journal"
)

// Event is something that happened to a loop. The set is closed: see events.
type Event interface {
	journal.Event
	// apply changes s, or returns why the event cannot happen in it.
	apply(s *State) (refusal string)
}

// Stamp is the time that every event carries.
type Stamp = journal.Stamp

// midStep events may arrive while a step is under way; AttemptBegan comes right before
// its step. They never end the loop: the step is still to report how it went,
// at its deadline at the latest.
type midStep interface{ midStep() bool }

// afterEnd events are taken after the loop has ended. Its clock stands still.
type afterEnd interface{ afterEnd() }

// notRunning refuses the events that only a running step can produce.
const notRunning = "the loop is not running"

var events = journal.NewCodec[Event](
	Created{}, Acquired{}, Prepared{}, AttemptBegan{}, Interrupted{}, AgentEnded{}, Committed{}, GateEnded{}, Proved{}, Verifying{}, WorkFailed{},
	SoftPassed{}, Restored{}, Woke{}, Ticked{}, PauseAsked{}, Resumed{}, AbortAsked{}, Asked{}, Steered{}, Answered{},
	Held{}, Switched{}, BudgetSet{}, BudgetWarned{}, BudgetSpent{}, Moved{}, Kept{}, Tidied{}, Accepted{}, Conflicted{}, Retried{},
	MoveBegan{}, MovedAway{}, Arrived{},
)

// Events returns the codec of the events of a loop.
func Events() journal.Codec[Event] { return events }

// Encode returns the record of an event: its name and its fields as JSON.
func Encode(e Event) (name string, data []byte, err error) { return events.Encode(e) }

// Decode reads what Encode wrote.
func Decode(name string, data []byte) (Event, error) { return events.Decode(name, data) }

// because joins a text and the reason for it, where there is one.
func because(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}

// Apply returns the state after e. What cannot happen is refused with a
// *journal.RefusedError; then the returned state is s. The new state shares no memory with s, and is bounded.
func Apply(s State, e Event) (State, error) {
	n, err := applied(s, e)
	if err == nil {
		n.bound()
	}
	return n, err
}

// applied is Apply without a bound of the state.
func applied(s State, e Event) (State, error) {
	name := ""
	refuse := func(why string) (State, error) {
		return s, &journal.RefusedError{Event: name, Status: string(s.Status), Why: why}
	}
	if !events.Has(e) {
		return refuse("not one of the machine's events")
	}
	name = e.Name()
	if e.When().IsZero() {
		return refuse("it does not say when")
	}
	if why := s.inTransit(e); why != "" {
		return refuse(why)
	}
	_, after := e.(afterEnd)
	ended := s.Status.Terminal()
	if ended && !after {
		return refuse("the loop has ended")
	}
	n := s.clone()
	if !ended {
		n.advance(e)
	}
	if why := e.apply(&n); why != "" {
		return refuse(why)
	}
	if mid, ok := e.(midStep); !ended && (!ok || !mid.midStep()) {
		n.ceilings(e.When())
	}
	return n, nil
}
