package plan

import "ralph/internal/loop"

// Encode is the record of an event: its name and its fields as JSON.
func Encode(e Event) (name string, data []byte, err error) { return vocabulary().Encode(e) }

// Decode reads what Encode wrote.
func Decode(name string, data []byte) (Event, error) { return vocabulary().Decode(name, data) }

func vocabulary() loop.Vocabulary {
	return loop.Vocabulary{Name: Name, All: []Event{
		Opened{},
		Read{},
		Started{},
		Planning{},
		Accepted{},
		Noted{},
		Taken{},
		Stopped{},
		TaskWaits{},
		LandBegan{},
		Repairing{},
		Landed{},
		NotLanded{},
		Judged{},
		ReviewHeld{},
		Woken{},
		ProofBegan{},
		Proof{},
		Asked{},
		Answered{},
		Resolved{},
		Found{},
		Rested{},
		PauseAsked{},
		Resumed{},
		AbortAsked{},
		Broken{},
		Repaired{},
	}}
}
