package stream

import (
	"crypto/sha256"
	"fmt"

	"ralph/internal/agent"
)

// Built-in caps. They are far above what work that gets somewhere needs; most
// of the programs have none of their own that holds.
const (
	maxTurns = 300
	maxSame  = 25
)

// tools are those that run now, and how often the newest call was made.
type tools struct {
	running map[string]string // by the call's id
	calls   int64
	newest  [sha256.Size]byte
	same    int
}

// Turn counts a call of the model.
func (t *Tally) Turn() {
	t.turns++
	limit := t.job.Agent.MaxTurns
	if limit <= 0 {
		limit = maxTurns
	}
	if t.turns > limit {
		t.Stop(Failed(fmt.Sprintf("stopped: it used its %d turns (agents.%s.max_turns)", limit, t.job.Agent.Name)))
	}
}

// Tool counts a call of a tool that begins, with its arguments as they came
// and the file it is about, if it is about one.
func (t *Tally) Tool(id, name string, input []byte, path string) {
	t.tools.calls++
	t.tools.running[id] = name
	t.job.Emit(agent.Event{Kind: agent.ToolUse, Tool: name, Path: t.local(path)})
	call := sha256.Sum256(append([]byte(name+"\x00"), input...))
	if call != t.tools.newest {
		t.tools.newest, t.tools.same = call, 0
	}
	t.tools.same++
	limit := t.job.Agent.MaxSameCalls
	if limit <= 0 {
		limit = maxSame
	}
	if t.tools.same > limit {
		t.Stop(Failed(fmt.Sprintf("stopped: it called %s in the same way more than %d times running (agents.%s.max_same_calls)", clip(name, 60), limit, t.job.Agent.Name)))
	}
}

// ToolEnded says that a call is over.
func (t *Tally) ToolEnded(id string) { delete(t.tools.running, id) }

// tool is one that runs now.
func (t *Tally) tool() string {
	for _, name := range t.tools.running {
		return name
	}
	return ""
}
