package plan

import (
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Event is something that happened to the run of a plan. The set is closed: see
// events.
type Event interface {
	journal.Event
	// apply changes s, or returns why the event cannot happen in it.
	apply(s *State) (refusal string)
}

// Stamp is the time that every event carries.
type Stamp = journal.Stamp

// afterEnd events are taken after the run has ended.
type afterEnd interface{ afterEnd() }

var events = journal.NewCodec[Event](
	Opened{}, Read{}, Started{}, Planning{}, Accepted{}, Conflicted{}, Noted{}, Taken{}, Stopped{}, TaskWaits{}, LandBegan{}, Repairing{},
	Landed{}, LandingStale{}, NotLanded{}, ReviewEnded{}, ReviewHeld{}, Woken{}, ProofBegan{}, Proof{}, Asked{}, Answered{}, Proposed{}, Resolved{}, Found{},
	Rested{}, PauseAsked{}, Resumed{}, AbortAsked{}, Broken{}, Repaired{}, MoveBegan{}, MovedAway{}, Arrived{},
)

// Events returns the codec of the events of a plan.
func Events() journal.Codec[Event] { return events }

// Encode returns the record of an event: its name and its fields as JSON.
func Encode(e Event) (name string, data []byte, err error) { return events.Encode(e) }

// Decode reads the output of Encode.
func Decode(name string, data []byte) (Event, error) { return events.Decode(name, data) }

// because joins a text and the reason for it, where there is one.
func because(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}

// subject names a task, or the plan's proof where none is named.
func subject(task string) string {
	if task == "" {
		return "the proof of the plan"
	}
	return task
}

// by adds the person or program, where one is known.
func by(what, who string) string {
	if who == "" {
		return what
	}
	return what + " by " + who
}

// Begin returns the state of a plan that has not run yet.
func Begin(id, file, title, branch, base string, r Rules) State {
	return State{
		ID: id, File: file, Title: title, Branch: branch, Base: base, Tip: base,
		Rules: r, Status: loop.Pending, Stage: Working,
	}
}

// Apply returns the state after an event. An impossible event is refused
// with a *journal.RefusedError, and the state stays as it is.
func Apply(s State, e Event) (State, error) {
	name := ""
	refuse := func(why string) (State, error) {
		return s, &journal.RefusedError{Event: name, Status: string(s.Status), Why: why}
	}
	if !events.Has(e) {
		return refuse("not one of the machine's events")
	}
	name = e.Name()
	if _, after := e.(afterEnd); s.Status.Terminal() && !after {
		return refuse("the run has ended")
	}
	n := s.clone()
	why, moves := n.inTransit(e)
	if why != "" {
		return refuse(why)
	}
	if why := e.apply(&n); why != "" {
		return refuse(why)
	}
	if at := e.When(); at.After(n.LastAt) {
		n.LastAt = at
	}
	if !moves {
		n.advance(e.When())
	}
	return n, nil
}
