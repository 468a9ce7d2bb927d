package acp

import (
	"fmt"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/stream"
)

// maxSaid bounds what is joined of the model's words.
const maxSaid = 256 << 10

// maxWords is how many messages without a call of a tool between them are a
// conversation that gets nowhere: one ends a turn, a few tell of progress. A
// program that makes room in a conversation which has outgrown its model again
// and again does nothing else, and every one is paid.
const maxWords = 12

// said joins what comes in pieces.
type said struct {
	now   strings.Builder
	whole string // the newest that was complete

	// message is the one that is being said, where they have names; idle is how
	// many there were since the last call of a tool.
	message string
	idle    int
}

// chunk takes a piece of a message.
func (s *said) chunk(t *stream.Tally, c *sdk.SessionUpdateAgentMessageChunk) {
	if id := deref(c.MessageId); id != s.message {
		s.pause(t)
		s.message = id
		if s.idle++; s.idle > maxWords {
			t.Stop(stream.Failed(fmt.Sprintf("stopped: it said %d things running without calling a tool; perhaps the conversation has outgrown its model", maxWords)))
		}
	}
	if text := c.Content.Text; text != nil && s.now.Len() < maxSaid {
		s.now.WriteString(text.Text)
	}
}

// works: a tool is called.
func (s *said) works(t *stream.Tally) {
	s.pause(t)
	s.idle = 0
}

// pause ends what the model was saying.
func (s *said) pause(t *stream.Tally) {
	if strings.TrimSpace(s.now.String()) == "" {
		return
	}
	s.whole = s.now.String()
	s.now.Reset()
	t.Text(s.whole)
}

func (s *said) last() string { return s.whole }
