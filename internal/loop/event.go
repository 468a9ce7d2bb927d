package loop

import "ralph/internal/journal"

// Event is something that happened to a loop. The set is closed: see events.
type Event interface {
	journal.Event
	// apply changes s, or returns why the event cannot happen in it.
	apply(s *State) (refusal string)
}

// Stamp is the time that every event carries.
type Stamp = journal.Stamp

// midStep events may arrive while a step is under way, or are only about to
// start it. They never end the loop: the step is still to report how it went,
// at its deadline at the latest.
type midStep interface{ midStep() bool }

// afterEnd events are taken after the loop has ended. Its clock stands still.
type afterEnd interface{ afterEnd() }

// notRunning refuses the events that only a running step can produce.
const notRunning = "the loop is not running"

var events = journal.NewCodec[Event](
	Created{}, Acquired{}, Prepared{}, AttemptBegan{}, Interrupted{}, AgentEnded{}, Committed{}, GateEnded{}, WorkFailed{},
	SoftPassed{}, Restored{}, Woke{}, Ticked{}, PauseAsked{}, Resumed{}, AbortAsked{}, Asked{}, Steered{}, Answered{},
	Held{}, Switched{}, BudgetWarned{}, BudgetSpent{}, Kept{}, Tidied{}, Accepted{},
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
