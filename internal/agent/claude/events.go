package claude

import (
	"encoding/json"
	"slices"

	"ralph/internal/agent/stream"
	"ralph/internal/proc"
)

// dialect understands the events of one run.
type dialect struct {
	resumed bool

	message string            // the message whose parts are coming
	paths   map[string]string // files by the call that writes them
	limit   limit
	// failure is the kind of the newest API error.
	failure string
	behind  bool
	last    *result
	before  map[string]modelUsage
	paid    stream.Amount // by a result that names no models
}

// event is the part of a line that determines its meaning.
type event struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
}

// Line takes an event.
func (d *dialect) Line(t *stream.Tally, line []byte) bool {
	var e event
	if !stream.Decode(line, &e) {
		return false
	}
	switch e.Type {
	case "system":
		return d.system(t, e.Subtype, line)
	case "assistant":
		return d.assistant(t, line)
	case "user":
		return d.user(t, line)
	case "rate_limit_event":
		return d.rateLimit(t, line)
	case "result":
		return d.result(t, line)
	}
	return slices.Contains([]string{"stream_event", "control_request", "control_response", "control_cancel_request", "keep_alive"}, e.Type)
}

// Aside ignores the standard error: errors before the first event are shown as
// they are.
func (*dialect) Aside(*stream.Tally, []byte) {}

// End uses the last result alone.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	if d.last == nil {
		return stream.Verdict{}
	}
	return d.verdict(*d.last)
}

// quiet are subtypes of system events that the driver ignores.
func quiet() []string {
	return []string{
		"task_started", "task_updated", "task_progress", "task_notification", "hook_started", "hook_progress", "hook_response",
		"informational", "notification", "status", "thinking_tokens", "compact_boundary",
	}
}

func (d *dialect) system(t *stream.Tally, subtype string, line []byte) bool {
	switch subtype {
	case "init":
		var in struct {
			Session string `json:"session_id"`
			Model   string `json:"model"`
			Version string `json:"claude_code_version"`
		}
		if !stream.Decode(line, &in) {
			return false
		}
		t.Began(in.Session, in.Model, in.Version)
		t.Closing(false, false) // a turn begins, maybe after the first result
		return true
	case "api_retry":
		return d.retry(t, line)
	case "permission_denied":
		return d.denied(t, line)
	case "background_tasks_changed":
		var in struct {
			Tasks []json.RawMessage `json:"tasks"`
		}
		if !stream.Decode(line, &in) {
			return false
		}
		d.behind = len(in.Tasks) > 0
		t.Closing(d.last != nil, d.behind)
		return true
	}
	return slices.Contains(quiet(), subtype)
}

func (d *dialect) denied(t *stream.Tally, line []byte) bool {
	var in struct {
		Tool   string `json:"tool_name"`
		Reason string `json:"decision_reason_type"`
	}
	if !stream.Decode(line, &in) {
		return false
	}
	t.Denied(in.Tool, rule(in.Tool, in.Reason))
	return true
}

// rule returns the setting that would allow a tool that was refused because no
// user could be asked. No rule overrides one of the user's that forbids it.
func rule(tool, reason string) string {
	if reason != "mode" {
		return ""
	}
	return "args: [--allowedTools, " + tool + "]"
}

// message is a message of the model, or the results of its tools: one event
// for each part.
type message struct {
	// Parent is the call that a subagent works for.
	Parent  *string `json:"parent_tool_use_id"`
	Error   string  `json:"error"`
	Message struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Usage   *tokens         `json:"usage"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// part of a message; the content may also be one text.
type part struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Call    string          `json:"tool_use_id"`
	IsError stream.Flag     `json:"is_error"`
}

type tokens struct {
	Input      stream.Count `json:"input_tokens"`
	Output     stream.Count `json:"output_tokens"`
	CacheRead  stream.Count `json:"cache_read_input_tokens"`
	CacheWrite stream.Count `json:"cache_creation_input_tokens"`
}

func (m message) parts() []part {
	var all []part
	stream.Decode(m.Message.Content, &all) // a text has none
	return all
}

func (d *dialect) assistant(t *stream.Tally, line []byte) bool {
	var m message
	if !stream.Decode(line, &m) {
		return false
	}
	if m.Error != "" {
		// Not the model but the program speaks, about an API error.
		d.failure = m.Error
		return true
	}
	d.failure = ""
	t.Closing(false, false)
	if m.Message.ID != d.message {
		d.message = m.Message.ID
		t.Turn()
	}
	if u := m.Message.Usage; u != nil && m.Parent == nil {
		t.Context(int64(u.Input+u.CacheRead+u.CacheWrite), 0)
	}
	for _, p := range m.parts() {
		d.said(t, p, m.Parent == nil)
	}
	return true
}

// said takes a part of the model's text. A subagent's words are not the
// agent's.
func (d *dialect) said(t *stream.Tally, p part, main bool) {
	switch {
	case p.Type == "text" && main:
		t.Text(p.Text)
	case p.Type == "tool_use":
		var in struct {
			File     string `json:"file_path"`
			Notebook string `json:"notebook_path"`
		}
		stream.Decode(p.Input, &in) // other tools have other inputs
		path := in.File + in.Notebook
		t.Tool(p.ID, p.Name, p.Input, path)
		d.writes(p, path)
	}
}

// writes remembers a file until its call has succeeded.
func (d *dialect) writes(p part, path string) {
	switch p.Name {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		if d.paths == nil {
			d.paths = map[string]string{}
		}
		d.paths[p.ID] = path
	}
}

// user takes the results of the tools.
func (d *dialect) user(t *stream.Tally, line []byte) bool {
	var m message
	if !stream.Decode(line, &m) {
		return false
	}
	for _, p := range m.parts() {
		if p.Type != "tool_result" {
			continue
		}
		t.ToolEnded(p.Call)
		if !p.IsError {
			t.Changed(d.paths[p.Call])
		}
		delete(d.paths, p.Call)
	}
	return true
}
