package journal

import (
	"strings"
	"time"
)

// Message is a request of a user or another program to the owner of a run. It
// stays in the run's inbox until a transition carries it out.
type Message struct {
	ID   int64
	At   time.Time
	Kind string
	Text string
	By   string
}

// Command returns the command that the message holds.
func (m Message) Command() Command {
	kind, question, _ := strings.Cut(m.Kind, " ")
	return Command{Kind: CommandKind(kind), Question: question, Text: m.Text, By: m.By}
}
