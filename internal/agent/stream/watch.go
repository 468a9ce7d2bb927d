package stream

import (
	"fmt"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// life is when the program last gave a sign of it, and what it waits for.
type life struct {
	started, output time.Time
	heard           bool
	// trouble is what the program tries to get over, since when.
	trouble  *Verdict
	since    time.Time
	troubled bool // by the line under way
	// final: the result is there; behind: tasks of its own still run.
	final, behind bool
	finish        chan struct{}
	finished      bool
}

// Trouble notes that the program tries again by itself what a provider refused.
// When nothing comes of it, v is the verdict.
func (t *Tally) Trouble(v Verdict) {
	t.life.troubled = true
	if t.life.trouble == nil {
		t.life.since = time.Now()
	}
	t.life.trouble = &v
	t.job.Emit(agent.Event{Kind: agent.Trouble, Text: v.Message})
}

// Warned notes what the program warns of without trying anything.
func (t *Tally) Warned(words string) {
	t.job.Emit(agent.Event{Kind: agent.Trouble, Text: clip(words, 300)})
}

// Closing says that the final result is there, and whether the program still
// waits for tasks of its own behind it.
func (t *Tally) Closing(final, behind bool) { t.life.final, t.life.behind = final, behind }

// defaultGrace is that of package proc.
const defaultGrace = 10 * time.Second

// watch looks at the clock until gone is closed.
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

// interval is fine enough for the shortest patience.
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

// overdue says whether silence has lasted too long.
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
		return Transient(fmt.Sprintf("it printed nothing for %s", p.Stall)), true
	}
	return Verdict{}, false
}
