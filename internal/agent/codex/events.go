package codex

import (
	"encoding/json"
	"slices"
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// dialect understands the events of one run.
type dialect struct {
	model  string
	before loop.Usage // of the thread, before this run
	now    func() time.Time

	words   string // the newest message
	busy    bool   // a tool was used
	done    bool
	failure string
	open    map[string]bool // calls that have begun
}

// event is a line.
type event struct {
	Type    string `json:"type"`
	Thread  string `json:"thread_id"`
	Message string `json:"message"`
	Item    item   `json:"item"`
	Usage   usage  `json:"usage"`
	Error   struct {
		Message string `json:"message"`
	} `json:"error"`
}

// usage is the usage of the thread. Cached input is part of the input.
type usage struct {
	Input      stream.Count `json:"input_tokens"`
	Cached     stream.Count `json:"cached_input_tokens"`
	CacheWrite stream.Count `json:"cache_write_input_tokens"`
	Output     stream.Count `json:"output_tokens"`
}

// Line takes an event.
func (d *dialect) Line(t *stream.Tally, line []byte) bool {
	var e event
	if !stream.Decode(line, &e) {
		return false
	}
	switch e.Type {
	case "thread.started":
		t.Began(e.Thread, d.model, "")
	case "turn.started":
		d.done, d.failure = false, ""
		t.Closing(false, false)
	case "item.started", "item.updated", "item.completed":
		return d.item(t, e.Item, e.Type)
	case "error":
		d.retry(t, e.Message)
	case "turn.completed":
		d.completed(t, e.Usage)
	case "turn.failed":
		d.failure = e.Error.Message
		if d.failure == "" {
			d.failure = "the turn failed"
		}
		t.Closing(true, false)
	default:
		return false
	}
	return true
}

// retry is reported before each new try, and once more before the program gives
// up.
func (d *dialect) retry(t *stream.Tally, message string) {
	v := d.verdictOf(message)
	if v.Provider == "" {
		v = stream.Down(message)
	}
	t.Trouble(v)
}

func (d *dialect) completed(t *stream.Tally, total usage) {
	d.done = true
	t.Used(d.since(total))
	t.Final(d.words)
	t.Closing(true, false)
}

// since returns the usage that this run added to the thread.
func (d *dialect) since(total usage) loop.Usage {
	fresh := total.Input
	if total.Input >= 0 && total.Cached > 0 {
		fresh = max(total.Input-total.Cached, 0)
	}
	return stream.Since(loop.Usage{
		InputTokens: fresh.Int(), OutputTokens: total.Output.Int(), CacheReadTokens: total.Cached.Int(), CacheWriteTokens: total.CacheWrite.Int(),
	}, d.before)
}

// Aside ignores the standard error: errors before the first turn are shown as
// they are.
func (*dialect) Aside(*stream.Tally, []byte) {}

// End returns the verdict of the last turn.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	switch {
	case d.failure != "":
		return d.verdictOf(d.failure)
	case d.done && d.words == "" && !d.busy:
		return stream.Failed("it answered nothing")
	case d.done:
		return stream.Done()
	}
	return stream.Verdict{}
}

// tools returns the items that are calls of a tool.
func tools() []string {
	return []string{"command_execution", "file_change", "mcp_tool_call", "web_search", "collab_tool_call"}
}

// quiet are items that the driver ignores.
func quiet() []string { return []string{"reasoning", "todo_list"} }

func isTool(kind string) bool { return slices.Contains(tools(), kind) }

func isQuiet(kind string) bool { return slices.Contains(quiet(), kind) }

// item is an action or a message of the agent. It is reported when it begins,
// when it changes, and completely when it ends.
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

// call counts a call when it begins, or at its end if nothing else is reported.
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

// refused: a command that was declined, or a tool that needed an approval.
func (d *dialect) refused(t *stream.Tally, i item) {
	switch {
	case i.Status == "declined":
		t.Denied(i.name(), "permissions: skip")
	case i.Type == "mcp_tool_call" && i.Error != nil && i.Error.Message == noApproval:
		t.Denied(i.name(), "args: [-c, 'mcp_servers."+i.Server+".default_tools_approval_mode=\"approve\"']")
	}
}

// noApproval is the message of its own approval policy.
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

// input distinguishes two calls.
func (i item) input() []byte {
	if len(i.Changes) > 0 {
		// The changes in a file are not reported: two changes are not the same.
		return []byte(i.ID)
	}
	return []byte(i.Command + i.Query + string(i.Arguments))
}
