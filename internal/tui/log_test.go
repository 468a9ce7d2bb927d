package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

const worker = "ralph-search-index-4"

// output writes what an agent or a gate of the working loop prints.
func output(t *testing.T, e *fake, path func(engine.Layout) string, text string) {
	t.Helper()
	l, _ := e.Show(t.Context(), worker)
	at := path(engine.Layout{Dir: l.Dir})
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(at, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func agentOf(n int) func(engine.Layout) string {
	return func(l engine.Layout) string { return l.Output(n) }
}

func openLog(t *testing.T, e *fake, keys ...string) *screen {
	s := newScreen(t, e, 80, 24)
	s.at = worker
	s.press(append([]string{"l"}, keys...)...)
	return s
}

func TestEventsAreFollowed(t *testing.T) {
	t.Parallel()
	e := night(t)
	s := openLog(t, e)
	s.shows("gate_ended      tests: 1 of 118 failing", "following")
	e.happen(worker, loop.Steered{Stamp: loop.Stamp{At: clockAt(11, 55)}, Text: "leave the\x1b[2J lexer alone"})
	s.pass()
	s.shows("11:55:00  steered         leave the lexer alone")
	if n := strings.Count(s.text(), "attempt_began"); n != 1 {
		t.Errorf("an event stands there %d times", n)
	}
	e.events[worker] = append(e.events[worker], engine.Event{Seq: 8, At: clockAt(11, 56), Name: "from\x1b[2Jtomorrow"})
	s.pass()
	s.shows("fromtomorrow", "(an event of a newer version)")
	e.err = errors.New("gone")
	s.pass()
	s.shows("! not read: gone", "steered")
}

func TestScrolling(t *testing.T) {
	t.Parallel()
	e := night(t)
	s := openLog(t, e, "tab")
	write := func(from, to int) {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "\nline %d", i)
		}
		output(t, e, agentOf(3), b.String())
		s.pass()
	}
	write(0, 100)
	s.shows("line 99", "following")
	s.press("k", "pgup")
	s.hides("line 99", "following")
	s.shows("line 62", " %  G end")
}

// TestUpStaysUp: who reads is not carried away by what comes.
func TestUpStaysUp(t *testing.T) {
	t.Parallel()
	e := night(t)
	s := openLog(t, e, "tab")
	for round := range 3 {
		var b strings.Builder
		for i := range mostLines / 5 {
			fmt.Fprintf(&b, "\n%d-%d x", round, i)
		}
		output(t, e, agentOf(3), b.String())
		s.pass()
		if round == 0 {
			s.press("k", "k", "k")
		}
		s.shows(fmt.Sprintf("0-%d x", mostLines/5-20))
		s.hides("following")
	}
	s.press("g")
	s.shows("Looking at")
	s.press("G")
	s.shows("following", fmt.Sprintf("2-%d x", mostLines/5-1))
}

func TestSources(t *testing.T) {
	t.Parallel()
	e := night(t)
	gate := func(n, pass int) func(engine.Layout) string {
		return func(l engine.Layout) string { return l.GateLog(n, "tests", pass) }
	}
	output(t, e, agentOf(2), "the second attempt\n")
	output(t, e, gate(2, 0), "FAIL: TestBucket\n")
	output(t, e, gate(0, 0), "on the base\n")
	s := openLog(t, e, "tab")
	s.shows("[agent]", "attempt 3 of 3", "Looking at bucket.go")
	s.press("[")
	s.shows("attempt 2 of 3", "the second attempt")
	s.press("tab")
	s.shows("[output]", "the second attempt")
	s.press("tab")
	s.shows("[tests]", "FAIL: TestBucket")
	s.press("[", "[", "[", "[")
	s.shows("attempt 1 of 3", "nothing yet")
	s.press("]", "]", "]", "]")
	s.shows("attempt 3 of 3")
	s.press("shift+tab", "shift+tab")
	s.shows("[agent]", "Looking at bucket.go")
	s.press("tab", "tab", "tab", "tab")
	s.shows("[events]", "attempt_began")
	s.press("[")
	s.shows("tab shows the output")

	// Who follows the newest attempt goes on with the next one.
	s.press("tab")
	e.change(worker, func(l *engine.Loop) {
		l.State.Iteration = 4
		l.State.Recent = append(l.State.Recent, loop.Attempt{N: 4})
		l.State.Limits.ConfirmPasses = 3
	})
	output(t, e, agentOf(4), "a fourth time\n")
	s.pass()
	s.pass()
	s.shows("attempt 4 of 4", "a fourth time")
	s.hides("Looking at")
	output(t, e, gate(4, 0), "first\n")
	output(t, e, gate(4, 1), "confirmed\n")
	s.press("tab", "tab")
	s.shows("confirmed")
	s.hides("first")

	// Before the first attempt there is the base.
	e.change(worker, func(l *engine.Loop) { l.State.Iteration, l.State.Recent = 0, nil })
	s.pass()
	s.pass()
	s.shows("attempt 0 of 0", "on the base")
}

// TestProtocol: of an agent that speaks one, people see what it says and does.
func TestProtocol(t *testing.T) {
	t.Parallel()
	e := night(t)
	events := func(l engine.Layout) string { return l.Events(3) }
	s := openLog(t, e, "tab")
	s.shows("Looking at bucket.go")
	output(t, e, events, `{"kind":"text","text":"I will look.\nThen think."}
{"kind":"tool_use","tool":"Bash","text":"go test ./..."}
{"kind":"usage","usage":{"input_tokens":1}}
{"kind":"file_change","path":"bucket.go"}
{"kind":"raw","text":"not json"}
{"kind":"result","text":"done\u001b[2J"}
`+strings.Repeat("x", 70<<10)+"\nnot json either\n"+`{"kind":"text","text":"`+strings.Repeat("long ", 1000)+"\"}\n")
	s.pass()
	s.hides("Looking at", "input_tokens", "kind")
	s.press("g")
	s.shows(" I will look.", " Then think.", "> Bash go test ./...", "wrote bucket.go", " not json", "result: done")
	s.press("tab")
	s.shows("[output]", "Looking at bucket.go")
	for _, text := range s.log.lines.text {
		if len(text) > longestLine+8 {
			t.Errorf("a line of %d bytes is kept", len(text))
		}
	}
}

func TestHostileOutput(t *testing.T) {
	t.Parallel()
	e := night(t)
	s := openLog(t, e, "tab")
	output(t, e, agentOf(3), "\n"+evil+"\n"+strings.Repeat("\u0301", 5<<20)+"\n"+strings.Repeat("漢\x1b[H", 1<<20)+"\n\x1b[?1049l\x1b]0;owned")
	s.pass()
	s.pass()
	for _, keys := range [][]string{nil, {"g"}, {"G"}, {"pgup"}} {
		s.press(keys...)
		intact(t, s)
	}
}

func TestLinesRing(t *testing.T) {
	t.Parallel()
	var l lines
	l.wrap(10)
	lost := 0
	for i := range 3 * mostLines {
		lost += l.add(fmt.Sprintf("line %d and more", i))
	}
	if len(l.text) > mostLines || len(l.rows) != 2*len(l.text) || lost != 2*(3*mostLines-len(l.text)) {
		t.Errorf("%d lines, %d rows, %d lost", len(l.text), len(l.rows), lost)
	}
	if got := l.text[len(l.text)-1]; got != fmt.Sprintf("line %d and more", 3*mostLines-1) {
		t.Errorf("last: %q", got)
	}
	l.wrap(200)
	if diff := cmp.Diff(l.text, l.rows); diff != "" {
		t.Error("wide enough for all of it, and wrapped")
	}
	for range 2 * mostBytes / longestLine {
		l.add(strings.Repeat("x", 10*longestLine))
	}
	if l.bytes > mostBytes {
		t.Errorf("%d bytes", l.bytes)
	}
}
