package opencode

import (
	"encoding/json"
	"strings"

	"ralph/internal/agent/stream"
)

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

// Refused says whether words with which a call failed are those of the
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
