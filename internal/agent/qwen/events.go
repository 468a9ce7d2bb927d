package qwen

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

	paths map[string]string // files by the call that writes them
	ruled map[string]bool   // calls that a rule of the user's forbids
	busy  bool
	why   string // the newest error that it tries again after
	last  *result
}

// event is a line.
type event struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Session string `json:"session_id"`
	Model   string `json:"model"`
	Version string `json:"qwen_code_version"`
	// Parent is the call that a subagent works for.
	Parent  *string `json:"parent_tool_use_id"`
	Message struct {
		Usage   usage           `json:"usage"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// part of a message.
type part struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Call    string          `json:"tool_use_id"`
	IsError stream.Flag     `json:"is_error"`
	Content json.RawMessage `json:"content"`
}

// byRule reports whether a failed call's result is the program's message that a
// rule forbids it.
func byRule(content json.RawMessage) bool {
	var said string
	stream.Decode(content, &said) // a list is another tool's
	return (strings.HasPrefix(said, "Qwen Code requires permission to use ") || strings.Contains(said, " invocation was denied by permission rules.")) &&
		strings.Contains(said, "Matching deny rule:")
}

func (d *dialect) rule(call string) {
	if d.ruled == nil {
		d.ruled = map[string]bool{}
	}
	d.ruled[call] = true
}

// usage is that of one request, or of the session. Cached input is part of the
// input.
type usage struct {
	Input     stream.Count `json:"input_tokens"`
	Output    stream.Count `json:"output_tokens"`
	CacheRead stream.Count `json:"cache_read_input_tokens"`
}

// result is the last line.
type result struct {
	Subtype string      `json:"subtype"`
	IsError stream.Flag `json:"is_error"`
	Result  string      `json:"result"`
	Usage   *usage      `json:"usage"`
	Denials []struct {
		Tool string `json:"tool_name"`
		Call string `json:"tool_use_id"`
	} `json:"permission_denials"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
}

// Line takes an event.
func (d *dialect) Line(t *stream.Tally, line []byte) bool {
	var e event
	if !stream.Decode(line, &e) {
		return false
	}
	switch e.Type {
	case "system":
		return d.system(t, e)
	case "assistant":
		d.assistant(t, e)
	case "user":
		d.user(t, e)
	case "stream_event":
		t.Waiting()
	case "result":
		return d.result(t, line)
	default:
		return slices.Contains([]string{"control_request", "control_response", "control_cancel_request"}, e.Type)
	}
	return true
}

func (d *dialect) system(t *stream.Tally, e event) bool {
	switch e.Subtype {
	case "init":
		t.Began(e.Session, e.Model, e.Version)
	case "retry":
		d.retry(t)
	default:
		t.Waiting()
		return slices.Contains([]string{
			"session_start", "task_started", "task_progress", "task_notification", "notification", "status", "compact_boundary", "chat_compressed",
		}, e.Subtype)
	}
	return true
}

func (m event) parts() []part {
	var all []part
	stream.Decode(m.Message.Content, &all) // a text has none
	return all
}

func (d *dialect) assistant(t *stream.Tally, e event) {
	main := e.Parent == nil
	if used := e.Message.Usage; used.Input > 0 {
		t.Turn()
		if main {
			t.Context(int64(used.Input), 0)
		}
	}
	t.Closing(false, false)
	for _, p := range e.parts() {
		switch {
		case p.Type == "text" && main:
			t.Text(p.Text)
		case p.Type == "tool_use":
			d.begins(t, p)
		}
	}
}

func (d *dialect) begins(t *stream.Tally, p part) {
	var in struct {
		Path string `json:"file_path"`
	}
	stream.Decode(p.Input, &in) // other tools have other inputs
	d.busy = true
	t.Tool(p.ID, p.Name, p.Input, in.Path)
	if p.Name == "write_file" || p.Name == "edit" {
		if d.paths == nil {
			d.paths = map[string]string{}
		}
		d.paths[p.ID] = in.Path
	}
}

// user takes the results of the tools.
func (d *dialect) user(t *stream.Tally, e event) {
	for _, p := range e.parts() {
		if p.Type != "tool_result" {
			continue
		}
		t.ToolEnded(p.Call)
		if !p.IsError {
			t.Changed(d.paths[p.Call])
		} else if byRule(p.Content) {
			d.rule(p.Call)
		}
		delete(d.paths, p.Call)
	}
}

func (d *dialect) result(t *stream.Tally, line []byte) bool {
	var r result
	if !stream.Decode(line, &r) {
		return false
	}
	d.last = &r
	for _, refused := range r.Denials {
		if refused.Tool != "" {
			t.Denied(refused.Tool, d.allows(refused.Tool, refused.Call))
		}
	}
	d.used(t, r)
	if !r.IsError {
		t.Final(r.Result)
	}
	t.Closing(true, false)
	return true
}

// allows returns the setting that would allow a refused tool. No flag overrides a
// rule of the user's that forbids it.
func (d *dialect) allows(tool, call string) string {
	if d.ruled[call] {
		return ""
	}
	return "args: [--allowed-tools=" + tool + "]"
}

// used adds the usage of the session, less that of the run before.
func (d *dialect) used(t *stream.Tally, r result) {
	u := r.Usage
	if u == nil || u.Input == 0 && u.Output == 0 {
		return // no response: nothing is known, not even zero
	}
	fresh := u.Input
	if u.Input >= 0 && u.CacheRead > 0 {
		fresh = max(u.Input-u.CacheRead, 0)
	}
	t.Used(stream.Since(loop.Usage{InputTokens: fresh.Int(), OutputTokens: u.Output.Int(), CacheReadTokens: u.CacheRead.Int()}, d.before))
}

// End uses the last result.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	switch {
	case d.last == nil:
		return stream.Verdict{}
	case bool(d.last.IsError):
		return verdict(d.last.Error.Message)
	case d.last.Subtype != "success":
		return stream.Failed("it ended with " + d.last.Subtype)
	case d.last.Result == "" && !d.busy:
		return stream.Failed("it answered nothing")
	}
	return stream.Done()
}
