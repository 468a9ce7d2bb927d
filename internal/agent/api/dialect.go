package api

import (
	"bytes"
	"net/http"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// dialect is how one provider is spoken to.
type dialect interface {
	// base and path make the address, keyEnv names the key's variable.
	base() string
	path() string
	keyEnv() string
	header(h http.Header, key string)
	// body is the request, encoded as JSON.
	body(a loop.Agent, prompt string) any
	// event takes one object of the stream.
	event(c *call, data []byte)
}

// speaks is the dialect of an agent's provider; nil for an unknown one.
func speaks(a loop.Agent) dialect {
	switch a.Provider {
	case "anthropic":
		return anthropic{}
	case "openai":
		return openai{}
	case "ollama":
		return ollama{}
	}
	return nil
}

// line takes a line of the stream: "data: {…}" of server-sent events, or a bare
// object. All three dialects name in the object what it is.
func (c *call) line(line []byte) {
	data, sse := bytes.CutPrefix(line, []byte("data:"))
	data = bytes.TrimSpace(data)
	if !sse && !bytes.HasPrefix(data, []byte("{")) {
		return // event:, id:, comments that keep the connection open
	}
	if len(data) > 0 && c.said.Len() <= maxAnswer {
		c.on.event(c, data)
	}
}

// message is a piece of an answer, in the fields of all three.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func asked(prompt string) []message { return []message{{Role: "user", Content: prompt}} }

// some returns nil for unknown values.
func some(n *stream.Count) *int64 {
	if n == nil || *n < 0 {
		return nil
	}
	return n.Int()
}
