package acp

import (
	"encoding/json"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent"
	"ralph/internal/agent/opencode"
	"ralph/internal/agent/stream"
	"ralph/internal/lazyregexp"
)

// call is a tool that was called, as far as it has been told: title, places and
// arguments of many come bit by bit.
type call struct {
	kind  sdk.ToolKind
	title string
	paths []string
	// input are its arguments, where they are told; shown is what a person would
	// see of it, the first time.
	input any
	shown []sdk.ToolCallContent
	ended bool
}

// news of a call.
type news struct {
	id     sdk.ToolCallId
	kind   sdk.ToolKind
	title  string
	at     []sdk.ToolCallLocation
	input  any
	shown  []sdk.ToolCallContent
	status sdk.ToolCallStatus
}

// moved takes news of a call; some programs tell of it only when it is over.
func (d *dialect) moved(t *stream.Tally, n news) {
	c, known := d.calls[n.id]
	c.learn(n)
	if !known {
		d.said.works(t)
		t.ToolBegan(string(n.id), c.name(), c.path())
	}
	d.calls[n.id] = c
	if over := n.status == sdk.ToolCallStatusCompleted || n.status == sdk.ToolCallStatusFailed; over && !c.ended {
		d.ended(t, n)
	}
}

func (c *call) learn(n news) {
	if n.kind != "" {
		c.kind = n.kind
	}
	if n.title != "" {
		c.title = n.title
	}
	if given, _ := n.input.(map[string]any); len(given) > 0 || n.input != nil && given == nil {
		c.input = n.input
	}
	if len(c.shown) == 0 {
		c.shown = n.shown
	}
	if len(c.paths) == 0 {
		for _, l := range n.at {
			c.paths = append(c.paths, l.Path)
		}
	}
}

func (d *dialect) ended(t *stream.Tally, n news) {
	c := d.calls[n.id]
	c.ended = true
	d.calls[n.id] = c
	t.ToolEnded(string(n.id))
	t.Called(c.name(), c.arguments())
	if n.status == sdk.ToolCallStatusFailed {
		c.refused(t, n)
	} else if changes(c.kind) {
		t.Changed(c.path())
	}
}

// arguments are what tells one call from another.
func (c call) arguments() []byte {
	if c.input != nil {
		text, _ := json.Marshal(c.input)
		return text
	}
	text, _ := json.Marshal([]any{c.title, c.paths, c.shown})
	return text
}

// refused: what a program forbids by rules of its own, so that it does not ask,
// is a call that failed with words that only it says.
func (c call) refused(t *stream.Tally, n news) {
	for _, shown := range n.shown {
		if shown.Content == nil || shown.Content.Content.Text == nil {
			continue
		}
		words := shown.Content.Content.Text.Text
		if rule, is := opencode.Refused(c.name(), words); is {
			t.Denied(c.name(), rule)
		}
		if deniedByPolicy.MatchString(words) {
			t.Denied(c.name(), "")
		}
	}
}

// name of a tool: the protocol has kinds and titles only.
func (c call) name() string {
	if c.kind == "" {
		return "tool"
	}
	return string(c.kind)
}

func (c call) path() string {
	if len(c.paths) == 0 {
		return ""
	}
	return c.paths[0]
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func changes(k sdk.ToolKind) bool {
	return k == sdk.ToolKindEdit || k == sdk.ToolKindDelete || k == sdk.ToolKindMove
}

// told is an event about a permission.
func told(title string, c call) agent.Event {
	return agent.Event{Kind: agent.Permitted, Tool: c.name(), Path: c.path(), Text: title}
}

// deniedByPolicy is how Gemini CLI tells a model that its rules forbid a tool.
var deniedByPolicy = lazyregexp.New(`^Tool execution for ".*" denied by policy\.`)
