package copilot

import (
	"encoding/json"
	"slices"
	"strings"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// dialect understands the events of one run.
type dialect struct {
	before loop.Usage // of the session, before this run

	words   string // the newest message
	busy    bool   // a tool was used
	paths   map[string]string
	names   map[string]string // tools by their call
	call    callFailure       // the newest failed call of the model
	failure *failure
	last    *result
}

// event is a line. Agent is set where a subagent speaks; Models where the line is
// the report on the whole run.
type event struct {
	Type   string                     `json:"type"`
	Agent  string                     `json:"agentId"`
	Data   json.RawMessage            `json:"data"`
	Models map[string]json.RawMessage `json:"modelMetrics"`
}

// Line takes an event.
func (d *dialect) Line(t *stream.Tally, line []byte) bool {
	var e event
	switch {
	case !stream.Decode(line, &e):
		return false
	case e.Type == "" && e.Models != nil:
		d.usage(t, line)
		t.Waiting()
		return true
	case e.Type == "result":
		return d.result(t, line)
	}
	if take, known := d.kinds()[e.Type]; known {
		return take(t, e)
	}
	t.Waiting()
	return quiet(e.Type)
}

// kinds are the events that matter.
func (d *dialect) kinds() map[string]func(*stream.Tally, event) bool {
	return map[string]func(*stream.Tally, event) bool{
		"session.tools_updated":   d.began,
		"assistant.turn_start":    d.turn,
		"assistant.message":       d.message,
		"assistant.message_delta": d.speaking,
		"tool.execution_start":    d.begins,
		"tool.execution_complete": d.ends,
		"model.call_failure":      d.callFailed,
		"session.error":           d.failed,
		"session.warning":         d.warned,
	}
}

// quiet reports whether an event belongs to one of the program's families: it has
// 150 kinds, and more with each version.
func quiet(kind string) bool {
	family, _, dotted := strings.Cut(kind, ".")
	return kind == "abort" || dotted && slices.Contains([]string{
		"agent", "assistant", "auto_mode_switch", "capabilities", "command", "commands", "external_tool", "hook", "mcp", "model", "pending_messages",
		"permission", "sandbox", "session", "skill", "subagent", "system", "tool", "tool_search", "user", "workflow",
	}, family)
}

func (d *dialect) began(t *stream.Tally, e event) bool {
	var in struct {
		Model string `json:"model"`
	}
	if !stream.Decode(e.Data, &in) {
		return false
	}
	t.Began("", in.Model, "")
	return true
}

// turn: a retry begins one too, and is no news until it has an answer.
func (d *dialect) turn(t *stream.Tally, _ event) bool {
	t.Turn()
	t.Closing(false, false)
	t.Waiting()
	return true
}

func (*dialect) speaking(*stream.Tally, event) bool { return true }

func (d *dialect) message(t *stream.Tally, e event) bool {
	var in struct {
		Content string `json:"content"`
		Parent  string `json:"parentToolCallId"`
	}
	if !stream.Decode(e.Data, &in) {
		return false
	}
	d.failure, d.call = nil, callFailure{}
	if in.Content != "" && in.Parent == "" && e.Agent == "" {
		d.words = in.Content
		t.Text(in.Content)
	}
	return true
}

func (d *dialect) begins(t *stream.Tally, e event) bool {
	var in struct {
		ID        string          `json:"toolCallId"`
		Tool      string          `json:"toolName"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if !stream.Decode(e.Data, &in) || in.ID == "" {
		return false
	}
	var about struct {
		Path string `json:"path"`
	}
	stream.Decode(in.Arguments, &about) // other tools have other arguments
	d.busy = true
	if d.paths == nil {
		d.paths, d.names = map[string]string{}, map[string]string{}
	}
	d.paths[in.ID], d.names[in.ID] = about.Path, in.Tool
	t.Tool(in.ID, in.Tool, in.Arguments, about.Path)
	return true
}

func (d *dialect) ends(t *stream.Tally, e event) bool {
	var in struct {
		ID      string      `json:"toolCallId"`
		Success stream.Flag `json:"success"`
		Error   struct {
			Code string `json:"code"`
		} `json:"error"`
		Telemetry struct {
			Metrics struct {
				Used   stream.Count `json:"context_current_tokens"`
				Window stream.Count `json:"context_token_limit"`
			} `json:"metrics"`
		} `json:"toolTelemetry"`
	}
	if !stream.Decode(e.Data, &in) || in.ID == "" {
		return false
	}
	tool, path := d.names[in.ID], d.paths[in.ID]
	delete(d.names, in.ID)
	delete(d.paths, in.ID)
	t.ToolEnded(in.ID)
	t.Context(int64(in.Telemetry.Metrics.Used), int64(in.Telemetry.Metrics.Window))
	switch {
	case in.Error.Code == "denied":
		t.Denied(tool, rule(tool))
	case bool(in.Success) && slices.Contains([]string{"create", "edit", "str_replace_editor"}, tool):
		t.Changed(path)
	}
	return true
}

// rule returns the setting that would allow a refused tool. What in a shell line
// was refused, a path or an address, it does not tell.
func rule(tool string) string {
	switch tool {
	case "bash", "powershell":
		return "args: [--allow-all-paths, --allow-all-urls]"
	case "create", "edit", "str_replace_editor", "view":
		return "args: [--allow-all-paths]"
	case "web_fetch":
		return "args: [--allow-all-urls]"
	}
	return "args: [--allow-tool=" + tool + "]"
}

func (d *dialect) warned(t *stream.Tally, e event) bool {
	var in failure
	if !stream.Decode(e.Data, &in) {
		return false
	}
	t.Warned(in.Message)
	return true
}

// result is the last line.
type result struct {
	Session string        `json:"sessionId"`
	Code    *stream.Count `json:"exitCode"`
}

func (d *dialect) result(t *stream.Tally, line []byte) bool {
	var r result
	if !stream.Decode(line, &r) {
		return false
	}
	d.last = &r
	t.Began(r.Session, "", "")
	if d.done() {
		t.Final(d.words)
	}
	t.Closing(true, false)
	return true
}

func (d *dialect) done() bool {
	return d.last != nil && d.failure == nil && d.last.Code != nil && *d.last.Code == 0
}

// Aside ignores the standard error: errors before the first event are shown as
// they are.
func (*dialect) Aside(*stream.Tally, []byte) {}

// End returns the verdict by the last error and the result.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	switch {
	case d.failure != nil:
		return d.verdict(*d.failure)
	case d.done() && d.words == "" && !d.busy:
		return stream.Failed("it answered nothing")
	case d.done():
		return stream.Done()
	case d.last != nil:
		return stream.Failed("it ended without an answer")
	}
	return stream.Verdict{}
}
