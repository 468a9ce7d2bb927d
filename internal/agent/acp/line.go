package acp

import (
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Line takes a message of the program. Updates are read here, all else is the
// SDK's.
func (d *dialect) Line(t *stream.Tally, line []byte) bool {
	d.tally.Store(t)
	var m struct {
		RPC    string          `json:"jsonrpc"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(line, &m) != nil || m.RPC != "2.0" {
		return false
	}
	if m.Method == sdk.ClientMethodSessionUpdate {
		var n sdk.SessionNotification
		return json.Unmarshal(m.Params, &n) == nil && d.update(t, n.Update)
	}
	// Fails only when nobody listens any more.
	_, _ = d.back.Write(append(slices.Clip(line), '\n'))
	return true
}

// update takes one; those that say nothing about work are known too.
func (d *dialect) update(t *stream.Tally, u sdk.SessionUpdate) bool {
	switch {
	case u == (sdk.SessionUpdate{}):
		return false // of a later version
	case u.AgentMessageChunk != nil:
		if text := u.AgentMessageChunk.Content.Text; text != nil {
			d.said.add(text.Text)
		}
		return true
	case u.ToolCall != nil:
		c := u.ToolCall
		d.said.pause(t)
		d.tool(t, c.ToolCallId, string(c.Kind), c.Title, c.Locations, c.RawInput)
		d.ended(t, c.ToolCallId, c.Status)
	case u.ToolCallUpdate != nil:
		d.moved(t, *u.ToolCallUpdate)
	case u.UsageUpdate != nil:
		t.Context(int64(u.UsageUpdate.Used), int64(u.UsageUpdate.Size))
		d.cost(t, u.UsageUpdate.Cost)
	}
	return true
}

func (d *dialect) tool(t *stream.Tally, id sdk.ToolCallId, kind, title string, at []sdk.ToolCallLocation, raw any) {
	if _, again := d.calls[id]; again {
		return
	}
	c := call{kind: sdk.ToolKind(kind), title: title}
	for _, l := range at {
		c.paths = append(c.paths, l.Path)
	}
	d.calls[id] = c
	input, _ := json.Marshal(raw)
	t.Tool(string(id), c.name(), append(input, title...), c.path())
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

// moved takes news of a call; some programs tell of it only when it is over.
func (d *dialect) moved(t *stream.Tally, u sdk.SessionToolCallUpdate) {
	if _, known := d.calls[u.ToolCallId]; !known {
		d.tool(t, u.ToolCallId, string(deref(u.Kind)), deref(u.Title), u.Locations, u.RawInput)
	}
	c := d.calls[u.ToolCallId]
	if u.Kind != nil {
		c.kind = *u.Kind
	}
	for _, l := range u.Locations {
		if len(c.paths) == 0 {
			c.paths = append(c.paths, l.Path)
		}
	}
	d.calls[u.ToolCallId] = c
	d.ended(t, u.ToolCallId, deref(u.Status))
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (d *dialect) ended(t *stream.Tally, id sdk.ToolCallId, status sdk.ToolCallStatus) {
	c := d.calls[id]
	if c.ended || status != sdk.ToolCallStatusCompleted && status != sdk.ToolCallStatusFailed {
		return
	}
	c.ended = true
	d.calls[id] = c
	t.ToolEnded(string(id))
	if status == sdk.ToolCallStatusCompleted && changes(c.kind) {
		t.Changed(c.path())
	}
}

func changes(k sdk.ToolKind) bool {
	return k == sdk.ToolKindEdit || k == sdk.ToolKindDelete || k == sdk.ToolKindMove
}

// cost is told for the session so far, which is this run's.
func (d *dialect) cost(t *stream.Tally, c *sdk.Cost) {
	if c == nil || !strings.EqualFold(c.Currency, "USD") {
		return
	}
	now := *loop.MicroUSD(c.Amount)
	before := d.said.cost
	if now < 0 {
		before = 0 // impossible, and stays so
	}
	d.said.cost = now
	t.Used(loop.Usage{CostMicroUSD: new(now - before), CostSource: "reported"})
}

// maxSaid bounds what is joined of the model's words.
const maxSaid = 256 << 10

// said joins what comes in pieces.
type said struct {
	now   strings.Builder
	whole string // the newest that was complete
	cost  int64
}

func (s *said) add(text string) {
	if s.now.Len() < maxSaid {
		s.now.WriteString(text)
	}
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

// told is an event about a permission.
func told(title string, c call) agent.Event {
	return agent.Event{Kind: agent.Permitted, Tool: c.name(), Path: c.path(), Text: title}
}
