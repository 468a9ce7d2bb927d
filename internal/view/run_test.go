package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// play feeds events to the machine and collects what a person and a log see.
func play(t *testing.T, s loop.State, events ...loop.Event) (lines, plain []string) {
	t.Helper()
	for _, e := range events {
		next, err := loop.Apply(s, e)
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		lines = append(lines, Lines(s, Item{State: next}, e, now, Palette{})...)
		plain = append(plain, Plain(s, next, e)...)
		s = next
	}
	return lines, plain
}

// story is a run with everything in it: a limit, a question, three equal
// failures and a shift, a claim, a pause and a pass.
func story() []loop.Event {
	at := clockAt(11, 0)
	tick := func() loop.Stamp { at = at.Add(11 * time.Second); return loop.Stamp{At: at} }
	var out []loop.Event
	add := func(e ...loop.Event) { out = append(out, e...) }
	attempt := func(commit string, changed bool, results ...loop.Result) {
		add(loop.AttemptBegan{Stamp: tick()},
			loop.AgentEnded{Stamp: tick(), Outcome: loop.Outcome{End: loop.EndDone, Duration: 9 * time.Second}},
			loop.Committed{Stamp: tick(), Commit: commit, Changed: changed, Differs: changed, Files: []string{"bucket.go", "clock.go", "x.go"}[:map[bool]int{true: 3}[changed]]})
		for _, r := range results {
			r.Commit = commit
			add(loop.GateEnded{Stamp: tick(), Result: r})
		}
	}
	red := tests("", "TestBucket/parallel")
	add(loop.Acquired{Stamp: tick()},
		loop.Prepared{Stamp: tick(), Worktree: "/w/ralph-rate-limiting-0123abcd", Notes: []string{"your uncommitted changes (2 files) are not part of this"}},
		loop.GateEnded{Stamp: tick(), Result: onBase(red)}, loop.GateEnded{Stamp: tick(), Result: onBase(coverage("", 82))})
	attempt("aaaaaaa1", true, red, coverage("", 82))
	attempt("aaaaaaa2", true, red, coverage("", 82))
	add(loop.AttemptBegan{Stamp: tick()},
		loop.AgentEnded{Stamp: tick(), Outcome: loop.Outcome{End: loop.EndLimit, Message: "usage limit reached", ResetAt: clockAt(11, 40)}},
		loop.Woke{Stamp: tick()})
	attempt("aaaaaaa2", false, red, coverage("", 82))
	add(loop.AttemptBegan{Stamp: tick()},
		loop.AgentEnded{Stamp: tick(), Outcome: loop.Outcome{End: loop.EndAsked, Question: &loop.Question{Text: "Fixed window or sliding?", Options: []string{"fixed", "sliding"}}}},
		loop.Answered{Stamp: tick(), Text: "sliding"},
		loop.PauseAsked{Stamp: tick()})
	attempt("aaaaaaa4", true)
	out = out[:len(out)-1] // the pause comes at the boundary before the commit
	add(loop.Resumed{Stamp: tick()},
		loop.Committed{Stamp: tick(), Commit: "aaaaaaa4", Changed: true, Differs: true, Files: []string{"bucket.go"}},
	)
	for _, r := range []loop.Result{tests(""), coverage("", 84.5), lint("")} {
		r.Commit = "aaaaaaa4"
		add(loop.GateEnded{Stamp: tick(), Result: r})
	}
	return append(out, loop.Tidied{Stamp: tick()})
}

func onBase(r loop.Result) loop.Result {
	r.Commit = "9f31c2e0aa11"
	return r
}

func ruin() []loop.Event {
	at := clockAt(11, 0)
	tick := func() loop.Stamp { at = at.Add(11 * time.Second); return loop.Stamp{At: at} }
	low := coverage("aaaaaaa1", 71.25)
	return []loop.Event{
		loop.Acquired{Stamp: tick()},
		loop.Prepared{Stamp: tick(), Worktree: "/w/x"},
		loop.GateEnded{Stamp: tick(), Result: onBase(tests(""))},
		loop.GateEnded{Stamp: tick(), Result: onBase(low)},
		loop.AttemptBegan{Stamp: tick(), Attempt: 1},
		loop.Interrupted{Stamp: tick(), Why: "ralph was killed"},
		loop.Acquired{Stamp: tick()},
		loop.AttemptBegan{Stamp: tick(), Attempt: 1},
		loop.SoftPassed{Stamp: tick(), Scope: "agent"},
		loop.AgentEnded{Stamp: tick(), Outcome: loop.Outcome{End: loop.EndTimeout, Duration: 20 * time.Minute, Leftovers: 2}},
		loop.Committed{Stamp: tick(), Commit: "aaaaaaa1", Changed: true, Differs: true, Files: []string{"a.go"}, Notes: []string{"the branch was rewritten"}},
		loop.GateEnded{Stamp: tick(), Result: tests("aaaaaaa1")},
		loop.GateEnded{Stamp: tick(), Result: low},
		loop.Kept{Stamp: tick(), Ref: "wip/ralph-fail-t-20261120-090244"},
		loop.Tidied{Stamp: tick()},
	}
}

func TestRunLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		max    int
		events []loop.Event
	}{"story": {5, story()}, "ruin": {1, ruin()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sp := spec("ralph-rate-limiting-0123abcd", "rate limiting")
			sp.Limits.MaxIterations = c.max
			lines, plain := play(t, loop.New(sp, clockAt(11, 0)), c.events...)
			opening := Opening(loop.New(sp, clockAt(11, 0)), Palette{})
			golden(t, "run-"+name, strings.Join(append(opening, lines...), "\n")+"\n")
			golden(t, "run-"+name+"-plain", strings.Join(plain, "\n")+"\n")
			for _, l := range lines {
				if text.Width(l) > 80 && !strings.Contains(l, "ralph ") {
					t.Errorf("%d columns: %s", text.Width(l), l)
				}
			}
		})
	}
}

func TestHistoryAndHeartbeat(t *testing.T) {
	t.Parallel()
	var records []PastEvent
	for i, e := range ruin() {
		records = append(records, PastEvent{int64(i + 1), e})
	}
	golden(t, "history", new(Log).Lines(records, now, Palette{}))
	s := atWork().State
	a := Activity{LastOutput: now.Add(-12 * time.Second), Usage: loop.Usage{OutputTokens: new(int64(81_000))}}
	golden(t, "heartbeat", Heartbeat(s, a, now)+"\n"+Heartbeat(s, Activity{}, now)+"\n"+Progress(s, a, now, Palette{})+"\n"+Progress(s, Activity{}, now, Palette{ASCII: true})+"\n")
}

func TestEveryEventHasAPlainLine(t *testing.T) {
	t.Parallel()
	s := started("id-1", "t", now)
	for name := range loop.Events().Types() {
		e, err := loop.Decode(name, []byte(`{"at":"2026-11-20T09:00:00Z"}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := Plain(s, s, e); len(got) != 1 || !strings.HasPrefix(got[0], "2026-11-20T09:") || !strings.Contains(got[0], " event=") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestAnyEventOnAnyState: a face shows what it gets, also from a newer or an
// older version; nothing here may depend on the machine having allowed it.
// unknown is an event that the lines have no case for yet.
type unknown struct{ loop.Ticked }

func (unknown) Name() string     { return "tree_swapped" }
func (unknown) Describe() string { return "the old one was full" }

func TestANewEventHasALine(t *testing.T) {
	t.Parallel()
	s := started("a", "t", clockAt(11, 0))
	e := unknown{loop.Ticked{Stamp: loop.Stamp{At: now}}}
	if got := strings.Join(Lines(s, Item{State: s}, e, now, Palette{}), "\n"); !strings.Contains(got, "tree swapped: the old one was full") {
		t.Errorf("got %q", got)
	}
}

func TestAnyEventOnAnyState(t *testing.T) {
	t.Parallel()
	events := append(append(story(), ruin()...), loop.WorkFailed{}, loop.Steered{}, loop.AbortAsked{}, loop.Ticked{}, loop.Created{},
		loop.AgentEnded{Outcome: loop.Outcome{End: "new"}}, loop.GateEnded{Result: loop.Result{Verdict: loop.Error}})
	items := append(everyItem(), Item{}, hostileItem(evil))
	for _, before := range items {
		for _, after := range items {
			for _, e := range events {
				Lines(before.State, after, e, now, Palette{Color: true, Width: 1})
				Plain(before.State, after.State, e)
			}
		}
	}
	for _, i := range items {
		texts(Item{State: i.State, Facts: i.Facts}, evil, Palette{Width: 1})
	}
}
