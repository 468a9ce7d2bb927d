package stream

import (
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

func TestCaps(t *testing.T) {
	t.Parallel()
	turn := func(t *Tally, _ int) { t.Turn() }
	same := func(t *Tally, _ int) { t.Tool("i", "Bash", []byte("ls"), ""); t.ToolEnded("i") }
	other := func(t *Tally, n int) { t.Tool("i", "Bash", []byte{byte(n), byte(n >> 8)}, ""); t.ToolEnded("i") }
	both := func(t *Tally, n int) { t.Turn(); other(t, n) }
	for name, tt := range map[string]struct {
		agent loop.Agent
		do    func(*Tally, int)
		most  int // allowed; 0: any number
		word  string
	}{
		"turns, built in":             {do: turn, most: maxTurns, word: "300 turns"},
		"turns, one":                  {agent: loop.Agent{MaxTurns: 1}, do: turn, most: 1, word: "1 turns"},
		"same calls, built in":        {do: same, most: maxSame, word: "same way"},
		"same calls, two":             {agent: loop.Agent{MaxSameCalls: 2, Name: "fast"}, do: same, most: 2, word: "agents.fast.max_same_calls"},
		"calls where no turn is told": {agent: loop.Agent{MaxTurns: 40}, do: other, most: 40, word: "40 turns"},
		"calls within turns":          {agent: loop.Agent{MaxTurns: 40}, do: both, most: 40, word: "40 turns"},
	} {
		tally := newTally(agent.Job{Agent: tt.agent})
		for n := range tt.most {
			tt.do(tally, n)
		}
		if tally.stopped != nil {
			t.Errorf("%s: stopped too early: %+v", name, *tally.stopped)
		}
		tt.do(tally, tt.most)
		if tally.stopped == nil || tally.stopped.End != loop.EndFailed || !strings.Contains(tally.stopped.Message, tt.word) {
			t.Errorf("%s: %+v", name, tally.stopped)
		}
	}
}

// Another call in between begins the count again.
func TestSameCallsMustBeInARow(t *testing.T) {
	t.Parallel()
	tally := newTally(agent.Job{Agent: loop.Agent{MaxSameCalls: 2}})
	for range 10 {
		for _, input := range []string{"a", "a", "b"} {
			tally.Tool("i", "Bash", []byte(input), "")
		}
		tally.Tool("i", "Edit", []byte("a"), "")
	}
	if tally.stopped != nil || tally.tools.calls != 40 {
		t.Errorf("%d calls, %+v", tally.tools.calls, tally.stopped)
	}
}
