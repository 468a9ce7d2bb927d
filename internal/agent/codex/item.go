package codex

import (
	"encoding/json"

	"ralph/internal/agent/stream"
)

// item is something the agent did or said. It comes when it begins, when it
// changes, and whole when it is over.
type item struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Text    string `json:"text"`
	Message string `json:"message"`
	Status  string `json:"status"`

	Command string `json:"command"`
	Changes []struct {
		Path string `json:"path"`
	} `json:"changes"`
	Server    string          `json:"server"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Query     string          `json:"query"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (d *dialect) item(t *stream.Tally, i item, event string) bool {
	over := event == "item.completed"
	switch {
	case isTool(i.Type):
		d.call(t, i, over)
	case i.Type == "agent_message" && over:
		d.words = i.Text
		t.Text(i.Text)
	case i.Type == "error" && over:
		t.Warned(i.Message)
	case i.Type != "agent_message" && i.Type != "error" && !isQuiet(i.Type):
		return false
	}
	return true
}

// call is counted when it begins, or at its end where that is all that comes.
func (d *dialect) call(t *stream.Tally, i item, over bool) {
	d.busy = true
	if !d.open[i.ID] {
		t.Tool(i.ID, i.name(), i.input(), i.path())
	}
	if !over {
		d.note(i.ID)
		return
	}
	delete(d.open, i.ID)
	t.ToolEnded(i.ID)
	if i.Status == "completed" {
		for _, c := range i.Changes {
			t.Changed(c.Path)
		}
	}
	d.refused(t, i)
}

func (d *dialect) note(id string) {
	if d.open == nil {
		d.open = map[string]bool{}
	}
	d.open[id] = true
}

// refused: a command that was declined, or a tool that nobody could be asked
// for.
func (d *dialect) refused(t *stream.Tally, i item) {
	switch {
	case i.Status == "declined":
		t.Denied(i.name(), "permissions: skip")
	case i.Type == "mcp_tool_call" && i.Error != nil && i.Error.Message == noApproval:
		t.Denied(i.name(), "args: [-c, 'mcp_servers."+i.Server+".default_tools_approval_mode=\"approve\"']")
	}
}

// noApproval is what its own approval policy answers.
const noApproval = "MCP tool call requires approval, but approval policy is never"

func (i item) name() string {
	switch i.Type {
	case "command_execution":
		return "shell"
	case "file_change":
		return "apply_patch"
	case "mcp_tool_call":
		return i.Server + "." + i.Tool
	}
	return i.Type
}

func (i item) path() string {
	if len(i.Changes) == 1 {
		return i.Changes[0].Path
	}
	return ""
}

// input tells two calls apart.
func (i item) input() []byte {
	if len(i.Changes) > 0 {
		// What is changed in a file is not told: two changes are not the same.
		return []byte(i.ID)
	}
	return []byte(i.Command + i.Query + string(i.Arguments))
}
