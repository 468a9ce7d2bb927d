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
	t.turn(t.turns)
}

func (t *Tally) turn(n int) {
	if limit := orElse(t.job.Agent.MaxTurns, maxTurns); n > limit {
		t.Stop(Failed(fmt.Sprintf("stopped: it used its %d turns (agents.%s.max_turns)", limit, t.job.Agent.Name)))
	}
}

// Tool counts a call of a tool that begins, with its arguments as they came
// and the file it is about, if it is about one.
func (t *Tally) Tool(id, name string, input []byte, path string) {
	t.ToolBegan(id, name, path)
	t.Called(name, input)
}

// ToolBegan is Tool for a call whose arguments are not known yet; Called says
// them later.
func (t *Tally) ToolBegan(id, name, path string) {
	t.tools.calls++
	t.tools.running[id] = name
	t.job.Emit(agent.Event{Kind: agent.ToolUse, Tool: clip(name, 100), Path: t.local(path)})
	if t.turns == 0 {
		// Its program does not tell the model's calls; each leads to a tool.
		t.turn(int(t.tools.calls))
	}
}

// Called counts how often the same call was made in a row.
func (t *Tally) Called(name string, input []byte) {
	call := sha256.Sum256(append([]byte(name+"\x00"), input...))
	if call != t.tools.newest {
		t.tools.newest, t.tools.same = call, 0
	}
	t.tools.same++
	limit := orElse(t.job.Agent.MaxSameCalls, maxSame)
	if t.tools.same > limit {
		t.Stop(Failed(fmt.Sprintf("stopped: it called %s in the same way more than %d times running (agents.%s.max_same_calls)", clip(name, 60), limit, t.job.Agent.Name)))
	}
}

func orElse(n, builtIn int) int {
	if n > 0 {
		return n
	}
	return builtIn
}

// ToolEnded says that a call is over.
func (t *Tally) ToolEnded(id string) { delete(t.tools.running, id) }

// tool is one that runs now.
func (t *Tally) tool() (name string) {
	for _, n := range t.tools.running {
		name = max(name, n)
	}
	return name
}
