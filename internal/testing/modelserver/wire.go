package modelserver

import (
	"encoding/json"
	"net/http"
	"strings"
)

// wire is one protocol.
type wire interface {
	// read understands a request.
	read(r *http.Request, body []byte) (request, error)
	// stream is an answer as server-sent events, each a whole one.
	stream(a answer) []string
	// whole is an answer in one piece, for a request that wants no stream.
	whole(a answer) any
	// refuse is the body of a refusal, and what its header has besides.
	refuse(f Fault) (body any, header map[string]string)
}

// request is what matters of one, whatever its protocol.
type request struct {
	model  string
	stream bool
	// begin is what was said before the first answer, turn how many answers
	// there were.
	begin string
	turn  int
	tools tools
}

// answer is what the model says.
type answer struct {
	id, model, say string
	calls          []use
	usage          Usage
}

// use is the call of a tool that the agent offers.
type use struct {
	id, name string
	args     map[string]any
	// free is the input of a tool that takes no JSON.
	free string
}

// speaker tells whose words a part of a conversation is.
type speaker int

const (
	nobody speaker = iota
	person
	model
	tool
)

// conversation counts the answers in what an agent sends along.
type conversation struct {
	begin string
	turns int
	last  speaker
}

// part takes the next piece. Pieces of the model that follow each other are one
// answer.
func (c *conversation) part(who speaker, text string) {
	if who == nobody {
		return
	}
	if who == model && c.last != model {
		c.turns++
	}
	if who == person && c.turns == 0 {
		c.begin += text
	}
	c.last = who
}

// asked is what two of the protocols begin a request with.
type asked struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

// request is the one that was made, with the tools that were offered.
func (a asked) request(offered tools) request {
	var c conversation
	for _, m := range a.Messages {
		switch m.Role {
		case "user":
			c.part(person, texts(m.Content))
		case "assistant":
			c.part(model, "")
		case "tool":
			c.part(tool, "")
		}
	}
	return request{model: a.Model, stream: a.Stream, begin: c.begin, turn: c.turns, tools: offered}
}

// texts are the words in a message's content: a text, or a list of parts. What
// else a part carries, such as a mark for the provider's cache, may differ from
// one request of a conversation to the next.
func texts(content json.RawMessage) string {
	var whole string
	if json.Unmarshal(content, &whole) == nil {
		return whole
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts)
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(p.Text)
	}
	return out.String()
}
