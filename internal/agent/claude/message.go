package claude

import (
	"encoding/json"

	"ralph/internal/agent/stream"
)

// message is what the model said, or what its tools answered: one event for
// each part.
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

// said takes a part of what the model said. A subagent's words are not the
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

// user takes what the tools answered.
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
