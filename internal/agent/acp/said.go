package acp

import (
	"fmt"

	"ralph/internal/agent/stream"
)

// maxWords is how many messages without a call of a tool between them are a
// conversation that gets nowhere: one ends a turn, a few report progress. A
// program that compacts a conversation which has outgrown its model again and
// again does nothing else, and every one is paid.
const maxWords = 12

// said is the model's text, and the number of its messages.
type said struct {
	stream.Spoken
	// message is the one that is being said, where they have names; idle is how
	// many there were since the last call of a tool.
	message string
	idle    int
}

// chunk takes a piece of a message.
func (s *said) chunk(t *stream.Tally, u update) {
	if id := u.Message; id != s.message {
		s.Pause(t)
		s.message = id
		if s.idle++; s.idle > maxWords {
			t.Stop(stream.Failed(fmt.Sprintf("stopped: it said %d things running without calling a tool; perhaps the conversation has outgrown its model", maxWords)))
		}
	}
	var said block
	if stream.Decode(u.Content, &said); said.Type == "text" {
		s.Add(said.Text)
	}
}

// works: a tool is called.
func (s *said) works(t *stream.Tally) {
	s.Pause(t)
	s.idle = 0
}
