package stream

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// What is borne for how long, to the second.
func TestOverdue(t *testing.T) {
	t.Parallel()
	const m = time.Minute
	p := agent.Patience{Start: 3 * m, Stall: 10 * m, Tool: 30 * m, Retry: 5 * m}
	began := time.Now()
	trouble := Transient("503")
	for name, tt := range map[string]struct {
		life  life
		tool  string
		limit time.Duration // after the last output, or the beginning of the trouble
		end   loop.End
		word  string
	}{
		"nothing yet":              {life: life{started: began, output: began}, limit: 3 * m, end: loop.EndTransient, word: "in the first 3m"},
		"silence":                  {life: life{started: began.Add(-time.Hour), output: began, heard: true}, limit: 10 * m, end: loop.EndTransient, word: "nothing for 10m"},
		"silence of a tool":        {life: life{started: began.Add(-time.Hour), output: began, heard: true}, tool: "Bash", limit: 30 * m, end: loop.EndTimeout, word: "while Bash ran"},
		"trouble":                  {life: life{started: began.Add(-time.Hour), output: began.Add(m), heard: true, trouble: &trouble, since: began}, limit: 5 * m, end: loop.EndTransient, word: "503"},
		"trouble while a tool ran": {life: life{started: began.Add(-time.Hour), output: began.Add(m), heard: true, trouble: &trouble, since: began}, tool: "Bash", limit: 5 * m, end: loop.EndTransient, word: "503"},
	} {
		tally := newTally(agent.Job{})
		tt.life.finish = tally.life.finish
		tally.life = tt.life
		if tt.tool != "" {
			tally.tools.running["1"] = tt.tool
		}
		if v, over := tally.overdue(began.Add(tt.limit-time.Second), p); over {
			t.Errorf("%s: over too early: %+v", name, v)
		}
		if v, over := tally.overdue(began.Add(tt.limit), p); !over || v.End != tt.end || !strings.Contains(v.Message, tt.word) {
			t.Errorf("%s: %v, %+v", name, over, v)
		}
		if _, over := tally.overdue(began.Add(100*time.Hour), agent.Patience{}); over {
			t.Errorf("%s: over without any limit", name)
		}
	}
}

// A result ends the watch over silence; tasks behind it, or a new turn, begin
// it again.
func TestLinger(t *testing.T) {
	t.Parallel()
	tally := newTally(agent.Job{})
	now := time.Now()
	tally.life.output, tally.life.heard = now, true
	finished := func(at time.Time) bool {
		tally.look(at, agent.Patience{Stall: time.Hour}, 10*time.Second)
		select {
		case <-tally.life.finish:
			return true
		default:
			return false
		}
	}
	tally.Closing(true, true)
	if finished(now.Add(20 * time.Second)) {
		t.Error("it was ended while its own tasks ran")
	}
	tally.Closing(false, false)
	if finished(now.Add(20 * time.Second)) {
		t.Error("it was ended in a turn")
	}
	tally.Closing(true, false)
	if finished(now.Add(9 * time.Second)) {
		t.Error("it was ended too early")
	}
	if !finished(now.Add(10*time.Second)) || !finished(now.Add(11*time.Second)) || tally.stopped != nil {
		t.Error("it was not ended")
	}
}

func TestPatience(t *testing.T) {
	t.Parallel()
	const m = time.Minute
	if got, want := agent.PatienceFor(loop.Agent{}), (agent.Patience{Start: 3 * m, Stall: 10 * m, Tool: 30 * m, Retry: 5 * m}); got != want {
		t.Errorf("built in: %+v", got)
	}
	if got, want := agent.PatienceFor(loop.Agent{Stall: m}), (agent.Patience{Start: m, Stall: m, Tool: 3 * m, Retry: m}); got != want {
		t.Errorf("less: %+v", got)
	}
	if got := agent.PatienceFor(loop.Agent{Stall: 40 * m}); got.Retry != 5*m || got.Stall != 40*m {
		t.Errorf("more: %+v", got)
	}
}
