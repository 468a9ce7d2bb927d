package gemini

import (
	"encoding/json"
	"maps"
	"slices"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// dialect understands the events of one run.
type dialect struct {
	said  stream.Spoken
	calls map[string]call
	busy  bool

	circled bool   // its own loop detection stopped it
	trouble string // the newest error event
	Muttered
	last *result
}

// call is a tool that runs.
type call struct{ tool, path string }

// event is a line.
type event struct {
	Type    string `json:"type"`
	Session string `json:"session_id"`
	Model   string `json:"model"`

	Role    string `json:"role"`
	Content string `json:"content"`

	Tool   string          `json:"tool_name"`
	ID     string          `json:"tool_id"`
	Input  json.RawMessage `json:"parameters"`
	Status string          `json:"status"`
	Error  failure         `json:"error"`

	Severity string `json:"severity"`
	Message  string `json:"message"`

	Stats stats `json:"stats"`
}

type failure struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// result is the last line.
type result struct {
	status string
	error  string
}

// Line takes an event.
func (d *dialect) Line(t *stream.Tally, line []byte) bool {
	var e event
	if !stream.Decode(line, &e) {
		return false
	}
	switch e.Type {
	case "init":
		t.Began(e.Session, named(e.Model), "")
	case "message":
		d.message(e)
	case "tool_use":
		d.said.Pause(t)
		d.begins(t, e)
	case "tool_result":
		d.ends(t, e)
	case "error":
		d.circled = d.circled || e.Message == loopDetected
		if e.Severity == "error" {
			d.trouble = e.Message
		}
		t.Warned(e.Message)
	case "result":
		d.said.Pause(t)
		d.result(t, e)
	default:
		return false
	}
	return true
}

// loopDetected is its message when it has stopped itself.
const loopDetected = "Loop detected, stopping execution"

// named: "auto" is no model. The result lists those used.
func named(model string) string {
	if model == "auto" {
		return ""
	}
	return model
}

// message: the user's message is the prompt again.
func (d *dialect) message(e event) {
	if e.Role == "assistant" {
		d.said.Add(e.Content)
	}
}

func (d *dialect) begins(t *stream.Tally, e event) {
	var in struct {
		Path string `json:"file_path"`
	}
	stream.Decode(e.Input, &in) // other tools have other inputs
	d.busy = true
	t.Tool(e.ID, e.Tool, e.Input, in.Path)
	if d.calls == nil {
		d.calls = map[string]call{}
	}
	d.calls[e.ID] = call{e.Tool, in.Path}
}

func (d *dialect) ends(t *stream.Tally, e event) {
	c := d.calls[e.ID]
	delete(d.calls, e.ID)
	t.ToolEnded(e.ID)
	switch {
	case e.Error.Type == "policy_violation":
		t.Denied(c.tool, "args: [--allowed-tools="+c.tool+"]")
	case e.Status == "success" && (c.tool == "write_file" || c.tool == "replace"):
		t.Changed(c.path)
	}
}

func (d *dialect) result(t *stream.Tally, e event) {
	d.last = &result{e.Status, e.Error.Message}
	e.Stats.tell(t)
	if e.Status == "success" {
		t.Final(d.said.Whole)
	}
	t.Closing(true, false)
}

// stats is the usage. Cached input is part of the input.
type stats struct {
	Total  stream.Count     `json:"total_tokens"`
	Input  stream.Count     `json:"input_tokens"`
	Output stream.Count     `json:"output_tokens"`
	Cached stream.Count     `json:"cached"`
	Models map[string]stats `json:"models"`
}

func (s stats) tell(t *stream.Tally) {
	t.Began("", s.model(), "")
	if s.Total == 0 {
		return // no response: nothing is known, not even zero
	}
	t.Used(loop.Usage{
		InputTokens: (s.Input - s.Cached).Int(), OutputTokens: s.Output.Int(), CacheReadTokens: s.Cached.Int(),
	})
}

// model is the one that did most of the work; the others chose it.
func (s stats) model() (most string) {
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		if s.Models[name].Total > s.Models[most].Total {
			most = name
		}
	}
	return most
}
