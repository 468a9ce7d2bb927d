package acp

import (
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

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
	if m.Method == "" {
		d.recalls.Store(false) // the answer to the one request that was open
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
	case d.recalls.Load():
		return true // of the run before
	case u.AgentMessageChunk != nil:
		d.said.chunk(t, u.AgentMessageChunk)
	case u.ToolCall != nil:
		c := u.ToolCall
		d.moved(t, news{c.ToolCallId, c.Kind, c.Title, c.Locations, c.RawInput, c.Content, c.Status})
	case u.ToolCallUpdate != nil:
		c := u.ToolCallUpdate
		d.moved(t, news{c.ToolCallId, deref(c.Kind), deref(c.Title), c.Locations, c.RawInput, c.Content, deref(c.Status)})
	case u.UsageUpdate != nil:
		t.Context(int64(u.UsageUpdate.Used), int64(u.UsageUpdate.Size))
		d.paid(t, u.UsageUpdate.Cost)
	}
	return true
}

// paid takes the cost of the session so far, which another run may have begun.
func (d *dialect) paid(t *stream.Tally, c *sdk.Cost) {
	if c == nil || !strings.EqualFold(c.Currency, "USD") {
		return
	}
	now := *loop.MicroUSD(c.Amount)
	before := d.cost
	if now < 0 {
		before = 0 // impossible, and stays so
	}
	d.cost = now
	t.Used(loop.Usage{CostMicroUSD: new(now - before), CostSource: "reported"})
}
