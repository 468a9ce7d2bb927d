package stream

import (
	"crypto/sha256"
	"fmt"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// life is the time of the program's last progress, and the reason of its
// wait.
type life struct {
	started, output time.Time
	heard           bool
	// trouble is the program's current retry, and its beginning.
	trouble  *Verdict
	since    time.Time
	troubled bool // by the current line
	// final: the result has arrived; behind: background tasks still run.
	final, behind bool
	finish        chan struct{}
	finished      bool
}

// Trouble records that the program retries by itself what a provider refused.
// Without success, v is the verdict.
func (t *Tally) Trouble(v Verdict) {
	t.life.troubled = true
	v.Message = unwrap(v.Message)
	if t.life.trouble == nil {
		t.life.since = time.Now()
	}
	t.life.trouble = &v
	t.job.Emit(agent.Event{Kind: agent.Trouble, Text: v.Message})
}

// Waiting records that the current line tells nothing new: a retry that was
// reported continues.
func (t *Tally) Waiting() { t.life.troubled = true }

// Warned records a warning.
func (t *Tally) Warned(words string) {
	t.job.Emit(agent.Event{Kind: agent.Trouble, Text: clip(words, 300)})
}

// Closing records that the final result has arrived, and whether the program
// still waits for background tasks.
func (t *Tally) Closing(final, behind bool) { t.life.final, t.life.behind = final, behind }

// defaultGrace is that of package proc.
const defaultGrace = 10 * time.Second

// watch checks the deadlines until gone is closed.
func (t *Tally) watch(gone <-chan struct{}) {
	p, stay := t.job.Patience, t.job.Grace
	if stay <= 0 {
		stay = defaultGrace
	}
	stay *= time.Duration(max(t.linger, 1))
	tick := time.NewTicker(interval(p, stay))
	defer tick.Stop()
	for {
		select {
		case <-gone:
			return
		case now := <-tick.C:
			t.look(now, p, stay)
		}
	}
}

// interval returns a period that is short enough for the shortest patience.
func interval(p agent.Patience, stay time.Duration) time.Duration {
	shortest := 8 * time.Second
	for _, d := range []time.Duration{p.Start, p.Stall, p.Tool, p.Retry, stay} {
		if d > 0 {
			shortest = min(shortest, d)
		}
	}
	return max(shortest/8, time.Millisecond)
}

func (t *Tally) look(now time.Time, p agent.Patience, stay time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := &t.life
	if l.final && !l.behind {
		if now.Sub(l.output) >= stay && !l.finished {
			l.finished = true
			close(l.finish)
		}
		return
	}
	if v, over := t.overdue(now, p); over {
		t.Stop(v)
	}
}

// overdue reports whether silence has lasted too long.
func (t *Tally) overdue(now time.Time, p agent.Patience) (Verdict, bool) {
	l, silent := t.life, now.Sub(t.life.output)
	over := func(d, limit time.Duration) bool { return limit > 0 && d >= limit }
	switch {
	case l.trouble != nil && over(now.Sub(l.since), p.Retry):
		v := *l.trouble
		v.Message = fmt.Sprintf("it tried for %s without an answer: %s", p.Retry, v.Message)
		return v, true
	case !l.heard && over(now.Sub(l.started), p.Start):
		return Transient(fmt.Sprintf("it printed nothing in the first %s", p.Start)), true
	case t.tool() != "" && over(silent, p.Tool):
		return Verdict{End: loop.EndTimeout, Message: fmt.Sprintf("it printed nothing for %s while %s ran", p.Tool, t.tool())}, true
	case t.tool() == "" && l.heard && over(silent, p.Stall):
		return Down(fmt.Sprintf("it printed nothing for %s", p.Stall)), true
	}
	return Verdict{}, false
}

// Built-in limits. They are far above what productive work needs; most of the
// programs have no reliable one of their own.
const (
	maxTurns = 300
	maxSame  = 25
)

// tools are the running ones, and the repetitions of the newest call.
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

// Tool counts a call of a tool that begins, with its raw arguments and the file
// it is about, if any.
func (t *Tally) Tool(id, name string, input []byte, path string) {
	t.ToolBegan(id, name, path)
	t.Called(name, input)
}

// ToolBegan is Tool for a call whose arguments are not known yet; Called adds
// them later.
func (t *Tally) ToolBegan(id, name, path string) {
	t.tools.calls++
	t.tools.running[id] = name
	t.job.Emit(agent.Event{Kind: agent.ToolUse, Tool: clip(name, 100), Path: t.local(path)})
	if t.turns == 0 {
		// The program does not report the model's calls; each leads to a tool.
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
		t.Stop(Failed(fmt.Sprintf("stopped: it called %s in the same way more than %d times in a row (agents.%s.max_same_calls)", clip(name, 60), limit, t.job.Agent.Name)))
	}
}

func orElse(n, builtIn int) int {
	if n > 0 {
		return n
	}
	return builtIn
}

// ToolEnded records the end of a call.
func (t *Tally) ToolEnded(id string) { delete(t.tools.running, id) }

// tool is one that runs now.
func (t *Tally) tool() (name string) {
	for _, n := range t.tools.running {
		name = max(name, n)
	}
	return name
}
