package acp

import (
	"encoding/json"
	"slices"
	"strconv"
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
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if !stream.Decode(line, &m) || m.RPC != "2.0" {
		return false
	}
	if m.Method == sdk.ClientMethodSessionUpdate {
		var n struct {
			Update update `json:"update"`
		}
		return stream.Decode(m.Params, &n) && d.update(t, n.Update)
	}
	if m.Method == "" {
		d.recalls.Store(false) // the response to the one open request
	}
	n := d.asked.Load()
	response := m.Method == "" && string(m.ID) == strconv.FormatInt(n, 10)
	// Fails only when the reader is gone.
	_, _ = d.back.Write(append(slices.Clip(line), '\n'))
	if response {
		d.answered.Store(n)
	}
	return true
}

// quietUpdates returns the names of updates that do not describe work.
func quietUpdates() []string {
	return []string{
		"user_message_chunk", "agent_thought_chunk", "plan", "plan_update", "plan_removed", "available_commands_update",
		"current_mode_update", "config_option_update", "session_info_update",
	}
}

// update takes one; it returns false for one of a later version.
func (d *dialect) update(t *stream.Tally, u update) bool {
	known := slices.Contains([]string{"agent_message_chunk", "tool_call", "tool_call_update", "usage_update"}, u.Is)
	if u.Is == "session_info_update" {
		d.codex(t, u.Meta)
		return true
	}
	if !known || d.recalls.Load() { // a repeated update is of the run before
		return known || slices.Contains(quietUpdates(), u.Is)
	}
	switch u.Is {
	case "agent_message_chunk":
		d.spent(t, u.Meta)
		if !d.confesses(t, u) {
			d.said.chunk(t, u)
		}
	case "usage_update":
		t.Waiting()
		t.Context(int64(u.Used), int64(u.Size))
		d.paid(t, u.Cost)
	default:
		d.moved(t, u)
	}
	return true
}

// paid takes the cost of the session so far, which another run may have begun.
func (d *dialect) paid(t *stream.Tally, c *cost) {
	if c == nil || !strings.EqualFold(c.Currency, "USD") {
		return
	}
	now := *loop.MicroUSD(float64(c.Amount))
	before := d.cost
	if now < 0 {
		before = 0 // impossible, and stays so
	}
	d.cost = now
	t.Used(loop.Usage{CostMicroUSD: new(now - before), CostSource: "reported"})
}
