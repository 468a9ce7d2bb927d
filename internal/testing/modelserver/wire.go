package modelserver

import (
	"encoding/json"
	"net/http"
	"strings"
)

// wire is one protocol.
type wire interface {
	// read parses a request.
	read(r *http.Request, body []byte) (request, error)
	// stream returns an answer as server-sent events.
	stream(a answer) []string
	// whole returns an answer in one piece, for a request without streaming.
	whole(a answer) any
	// refuse returns the body of a refusal and its additional headers.
	refuse(f Fault) (body any, header map[string]string)
}

// request is the part of a request that matters, whatever its protocol.
type request struct {
	model  string
	stream bool
	// begin is the text before the first answer, turn the number of answers so
	// far.
	begin string
	turn  int
	tools tools
	// dir is the working directory, where the agent tells it.
	dir string
}

// answer is the model's answer.
type answer struct {
	id, model, say string
	calls          []use
	usage          Usage
}

// use is a call of a tool that the agent offers.
type use struct {
	id, name string
	args     map[string]any
	// free is the input of a tool that takes no JSON.
	free string
}

// speaker is the author of a part of a conversation.
type speaker int

const (
	nobody speaker = iota
	person
	model
	tool
)

// conversation counts the answers in a request.
type conversation struct {
	begin string
	turns int
	last  speaker
}

// part adds the next piece. Consecutive pieces of the model are one answer.
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

// asked is the part of a request that two of the protocols share.
type asked struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

// workingIn is how an agent whose tools take absolute paths only tells where it is.
const workingIn = "I'm currently working in the directory: "

// request returns the request with the offered tools.
func (a asked) request(offered tools) request {
	var c conversation
	dir := ""
	for _, m := range a.Messages {
		if _, rest, told := strings.Cut(texts(m.Content), workingIn); told && dir == "" {
			dir, _, _ = strings.Cut(rest, "\n")
		}
		switch m.Role {
		case "user":
			c.part(person, texts(m.Content))
		case "assistant":
			c.part(model, "")
		case "tool":
			c.part(tool, "")
		}
	}
	return request{model: a.Model, stream: a.Stream, begin: c.begin, turn: c.turns, tools: offered, dir: strings.TrimSpace(dir)}
}

// texts returns the text of a message's content: a string, or a list of parts.
// Other fields of a part, such as a mark for the provider's cache, may differ
// between the requests of a conversation.
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
