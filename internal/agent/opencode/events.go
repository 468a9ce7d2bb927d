package opencode

import (
	"encoding/json"
	"strings"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// dialect understands the events of one run.
type dialect struct {
	words     string // the newest thing the model said
	busy      bool
	reason    string // how the newest step finished
	failure   *failure
	overflows int // running
	denied    bool
}

// event is a line.
type event struct {
	Type    string  `json:"type"`
	Session string  `json:"sessionID"`
	Part    part    `json:"part"`
	Error   failure `json:"error"`
}

// part of a message.
type part struct {
	Text      string      `json:"text"`
	Synthetic stream.Flag `json:"synthetic"`

	Tool  string `json:"tool"`
	Call  string `json:"callID"`
	State state  `json:"state"`

	Reason string         `json:"reason"`
	Tokens *tokens        `json:"tokens"`
	Cost   *stream.Amount `json:"cost"`
}

// tokens of a step. Cached input is not part of the input.
type tokens struct {
	Total     stream.Count `json:"total"`
	Input     stream.Count `json:"input"`
	Output    stream.Count `json:"output"`
	Reasoning stream.Count `json:"reasoning"`
	Cache     struct {
		Read  stream.Count `json:"read"`
		Write stream.Count `json:"write"`
	} `json:"cache"`
}

// written is the model's text: some providers count its thoughts in the total
// only.
func (k tokens) written() stream.Count {
	if k.Output < 0 {
		return k.Output
	}
	return max(k.Output, k.Total-k.Input-k.Cache.Read-k.Cache.Write)
}

// Line takes an event.
func (d *dialect) Line(t *stream.Tally, line []byte) bool {
	var e event
	if !stream.Decode(line, &e) {
		return false
	}
	switch e.Type {
	case "step_start":
		d.reason, d.failure = "", nil
		t.Turn()
		t.Closing(false, false)
	case "text":
		d.text(t, e.Part)
	case "reasoning":
	case "tool_use":
		d.tool(t, e.Part)
	case "step_finish":
		d.finished(t, e.Part)
	case "error":
		d.failed(t, e.Error)
	default:
		return false
	}
	t.Began(e.Session, t.Job().Agent.Model, "")
	return true
}

func (d *dialect) text(t *stream.Tally, p part) {
	if p.Synthetic {
		return // its own words to the model
	}
	d.words = p.Text
	t.Text(p.Text)
}

func (d *dialect) finished(t *stream.Tally, p part) {
	d.reason = p.Reason
	if p.Tokens != nil {
		t.Used(p.usage())
		t.Context(int64(p.Tokens.Input+p.Tokens.Cache.Read+p.Tokens.Cache.Write), 0)
	}
	if p.Reason != "tool-calls" {
		t.Closing(true, false)
	}
	if p.Reason == "stop" {
		t.Final(d.words)
	}
}

func (p part) usage() loop.Usage {
	k := p.Tokens
	u := loop.Usage{
		InputTokens: k.Input.Int(), OutputTokens: k.written().Int(),
		CacheReadTokens: k.Cache.Read.Int(), CacheWriteTokens: k.Cache.Write.Int(),
	}
	if p.Cost != nil && *p.Cost != 0 {
		u.CostMicroUSD, u.CostSource = loop.MicroUSD(float64(*p.Cost)), "reported"
	}
	return u
}

// End returns the verdict by the last step and the last error.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	switch {
	case d.failure != nil:
		return d.failure.verdict()
	case d.reason == "length":
		return stream.Failed("the answer was cut off: it was longer than the model may give")
	case d.reason == "content-filter":
		return stream.Failed("the provider filtered the answer")
	case d.reason == "tool-calls" && d.denied:
		return stream.Failed("it stopped at a tool that was not allowed")
	case d.reason == "stop" && d.words == "" && !d.busy:
		return stream.Failed("it answered nothing")
	case d.reason == "stop":
		return stream.Done()
	}
	return stream.Verdict{}
}

// state of a call. It is printed when the call is over.
type state struct {
	Status   string          `json:"status"`
	Input    json.RawMessage `json:"input"`
	Error    string          `json:"error"`
	Metadata struct {
		Path string `json:"filepath"`
	} `json:"metadata"`
}

func (d *dialect) tool(t *stream.Tally, p part) {
	var in struct {
		Path string `json:"filePath"`
	}
	stream.Decode(p.State.Input, &in) // other tools have other inputs
	d.busy, d.overflows = true, 0
	t.Tool(p.Call, p.Tool, p.State.Input, in.Path)
	t.ToolEnded(p.Call)
	switch {
	case p.State.Status == "completed" && (p.Tool == "write" || p.Tool == "edit" || p.Tool == "patch"):
		path := p.State.Metadata.Path
		if path == "" {
			path = in.Path
		}
		t.Changed(path)
	case p.State.Status == "error":
		d.refused(t, p)
	}
}

// The words with which its permission check refuses: the first ends the run.
const (
	rejected = "The user rejected permission to use this specific tool call."
	ruledOut = "The user has specified a rule which prevents you from using this specific tool call."
)

func (d *dialect) refused(t *stream.Tally, p part) {
	d.denied = d.denied || p.State.Error == rejected
	if rule, is := Refused(p.Tool, p.State.Error); is {
		t.Denied(p.Tool, rule)
	}
}

// Refused reports whether the message of a failed call is that of the
// permission check, and what would allow it.
func Refused(tool, words string) (allows string, is bool) {
	switch {
	case words == rejected:
		return rule(permission(tool)), true
	case strings.HasPrefix(words, ruledOut):
		return rule(culprit(words)), true
	}
	return "", false
}

// permission is the one that a tool needs.
func permission(tool string) string {
	switch tool {
	case "write", "edit", "patch", "multiedit":
		return "edit"
	}
	return tool
}

// culprit is the permission that the refusal names: that of the last rule that
// denies.
func culprit(refusal string) (name string) {
	var rules []struct {
		Permission string `json:"permission"`
		Action     string `json:"action"`
	}
	_, list, _ := strings.Cut(refusal, "[")
	if json.NewDecoder(strings.NewReader("["+list)).Decode(&rules) != nil {
		return ""
	}
	for _, r := range rules {
		if r.Action == "deny" {
			name = r.Permission
		}
	}
	return name
}

// rule gives a permission.
func rule(permission string) string {
	if permission == "" {
		return ""
	}
	return `env: {` + contentVariable + `: '{"permission": {"` + permission + `": "allow"}}'}`
}
