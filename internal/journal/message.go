package journal

import "time"

// Message is a request of a user or another program to the owner of a run. It
// stays in the run's inbox until a transition carries it out.
type Message struct {
	ID   int64
	At   time.Time
	Kind string
	Text string
	By   string
}
