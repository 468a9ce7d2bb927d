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

	message string            // whose parts are coming
	paths   map[string]string // files by the call that writes them
	limit   limit
	// failure is the kind of the newest API error.
	failure string
	behind  bool
	last    *result
	before  map[string]modelUsage
	paid    stream.Amount // by a result that names no models
}

// event is what decides about a line.
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
		return d.rateLimit(line)
	case "result":
		return d.result(t, line)
	}
	return slices.Contains([]string{"stream_event", "control_request", "control_response", "control_cancel_request", "keep_alive"}, e.Type)
}

// Aside has nothing to tell: what is wrong before the first event stands on
// the standard error, and is shown as it is.
func (*dialect) Aside(*stream.Tally, []byte) {}

// End is told by the last result alone.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	if d.last == nil {
		return stream.Verdict{}
	}
	return d.verdict(*d.last)
}

// quiet are subtypes of system events that change nothing here.
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

// rule would allow a tool that was refused because nobody could be asked. What
// a rule of the person's forbids, no other rule allows.
func rule(tool, reason string) string {
	if reason != "mode" {
		return ""
	}
	return "args: [--allowedTools, " + tool + "]"
}
