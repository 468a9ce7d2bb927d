package acp

import (
	"encoding/json"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent"
	"ralph/internal/agent/opencode"
	"ralph/internal/agent/stream"
	"ralph/internal/lazyregexp"
)

// call is a tool that was called, as far as it has been reported: title, places
// and arguments of many come bit by bit.
type call struct {
	kind  sdk.ToolKind
	title string
	paths []string
	// input are its arguments, where they are known; shown is the text that a
	// person would see of it, the first time.
	input any
	shown json.RawMessage
	ended bool
}

// moved takes an update of a call; some programs report it only when it is
// over.
func (d *dialect) moved(t *stream.Tally, n update) {
	c, known := d.calls[n.ID]
	c.learn(n)
	if !known {
		d.said.works(t)
		t.ToolBegan(string(n.ID), c.name(), c.path())
	}
	d.calls[n.ID] = c
	if over := n.Status == sdk.ToolCallStatusCompleted || n.Status == sdk.ToolCallStatusFailed; over && !c.ended {
		d.ended(t, n)
	}
}

func (c *call) learn(n update) {
	if n.Kind != "" {
		c.kind = n.Kind
	}
	if n.Title != "" {
		c.title = n.Title
	}
	if given, _ := n.Input.(map[string]any); len(given) > 0 || n.Input != nil && given == nil {
		c.input = n.Input
	}
	if len(c.shown) == 0 {
		c.shown = n.Content
	}
	if len(c.paths) == 0 {
		for _, l := range n.At {
			c.paths = append(c.paths, l.Path)
		}
	}
}

func (d *dialect) ended(t *stream.Tally, n update) {
	c := d.calls[n.ID]
	c.ended = true
	d.calls[n.ID] = c
	t.ToolEnded(string(n.ID))
	t.Called(c.name(), c.arguments())
	if n.Status == sdk.ToolCallStatusFailed {
		c.refused(t, n)
	} else if changes(c.kind) {
		t.Changed(c.path())
	}
}

// arguments distinguish one call from another.
func (c call) arguments() []byte {
	if c.input != nil {
		text, _ := json.Marshal(c.input)
		return text
	}
	text, _ := json.Marshal([]any{c.title, c.paths, c.shown})
	return text
}

// refused reports whether a call failed because a program forbids it by rules
// of its own, so that it does not ask: only the text shows it.
func (c call) refused(t *stream.Tally, n update) {
	var all []block
	stream.Decode(n.Content, &all)
	for _, shown := range all {
		if shown.Content == nil || shown.Content.Type != "text" {
			continue
		}
		words := shown.Content.Text
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

func changes(k sdk.ToolKind) bool {
	return k == sdk.ToolKindEdit || k == sdk.ToolKindDelete || k == sdk.ToolKindMove
}

// told is an event about a permission.
func told(title string, c call) agent.Event {
	return agent.Event{Kind: agent.Permitted, Tool: c.name(), Path: c.path(), Text: title}
}

// deniedByPolicy is Gemini CLI's message to a model that its rules forbid a
// tool.
var deniedByPolicy = lazyregexp.New(`^Tool execution for ".*" denied by policy\.`)
