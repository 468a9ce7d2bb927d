package codex

import (
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

// usage is that of the thread. Cached input is part of the input.
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

// retry is said before each new try, and once more before it gives up.
func (d *dialect) retry(t *stream.Tally, message string) {
	v := d.judge(message)
	if v.End != loop.EndLimit {
		v = stream.Transient(message)
	}
	t.Trouble(v)
}

func (d *dialect) completed(t *stream.Tally, total usage) {
	d.done = true
	t.Used(d.since(total))
	t.Final(d.words)
	t.Closing(true, false)
}

// since is what this run added to the thread.
func (d *dialect) since(total usage) loop.Usage {
	fresh := total.Input
	if total.Input >= 0 && total.Cached > 0 {
		fresh = max(total.Input-total.Cached, 0)
	}
	return loop.Usage{
		InputTokens:      less(fresh, d.before.InputTokens),
		OutputTokens:     less(total.Output, d.before.OutputTokens),
		CacheReadTokens:  less(total.Cached, d.before.CacheReadTokens),
		CacheWriteTokens: less(total.CacheWrite, d.before.CacheWriteTokens),
	}
}

// less keeps what cannot be.
func less(total stream.Count, before *int64) *int64 {
	if total < 0 || before == nil {
		return total.Int()
	}
	return new(max(int64(total)-*before, 0))
}

// Aside has nothing to tell: errors before the first turn stand on the standard
// error, and are shown as they are.
func (*dialect) Aside(*stream.Tally, []byte) {}

// End is told by the last turn.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	switch {
	case d.failure != "":
		return d.judge(d.failure)
	case d.done && d.words == "" && !d.busy:
		return stream.Failed("it answered nothing")
	case d.done:
		return stream.Done()
	}
	return stream.Verdict{}
}

// tools are the items that are calls of a tool.
func tools() []string {
	return []string{"command_execution", "file_change", "mcp_tool_call", "web_search", "collab_tool_call"}
}

// quiet are items that change nothing here.
func quiet() []string { return []string{"reasoning", "todo_list"} }

func isTool(kind string) bool { return slices.Contains(tools(), kind) }

func isQuiet(kind string) bool { return slices.Contains(quiet(), kind) }
