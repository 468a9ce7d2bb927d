package plan

import "ralph/internal/journal"

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
	Opened{}, Read{}, Started{}, Planning{}, Accepted{}, Noted{}, Taken{}, Stopped{}, TaskWaits{}, LandBegan{}, Repairing{},
	Landed{}, NotLanded{}, Judged{}, ReviewHeld{}, Woken{}, ProofBegan{}, Proof{}, Asked{}, Answered{}, Resolved{}, Found{},
	Rested{}, PauseAsked{}, Resumed{}, AbortAsked{}, Broken{}, Repaired{},
)

// Events returns the codec of the events of a plan's run.
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
