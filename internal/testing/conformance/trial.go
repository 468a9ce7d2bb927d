package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/testing/modelserver"
	"ralph/internal/view"
)

// trial is one case, the same for every agent.
type trial struct {
	name, title string
	quick       bool
	// scene is what the model does.
	scene func(client) modelserver.Scene
	// attempts at most; stall is how long silence is borne.
	attempts int
	stall    time.Duration
	// env replaces an agent's own variables, where it answers any.
	env func(c client, url string) []string
	// act does what has to be done; nil runs ralph to its end.
	act func(context.Context, *stage) error
	// want says what is not as it should be.
	want func(*sight)
	// words tells what was recorded; nil is status, reason and end.
	words func(*sight) string
}

// patience with an agent's silence. Where silence is what is tried it is short.
func (t trial) patience(slow float64) time.Duration {
	if t.stall == 0 {
		t.stall = 2 * time.Minute
	}
	return time.Duration(float64(t.stall) * max(slow, 1)).Round(time.Second)
}

// short is more than any of them needs on a machine that has nothing else to do.
const short = 15 * time.Second

func (t trial) environment(c client, url string) []string {
	if t.env != nil {
		if env := t.env(c, url); env != nil {
			return env
		}
	}
	return c.env(url)
}

// sight is what there is to see when a case is over.
type sight struct {
	*stage
	object view.Object
	seen   []modelserver.Seen
	// left runs on although nothing should.
	left  []process
	wrong []string
}

func (s *sight) complain(format string, args ...any) {
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// last is the newest attempt; an empty one where there is none.
func (s *sight) last() view.AttemptObject {
	if n := len(s.object.Attempts); n > 0 {
		return s.object.Attempts[n-1]
	}
	return view.AttemptObject{}
}

// run is the newest run of the agent.
func (s *sight) run() view.AgentRun {
	if r := s.last().AgentRun; r != nil {
		return *r
	}
	return view.AgentRun{}
}

// ends expects a status, its reason unless that is empty, and one of some ends
// of the agent.
func (s *sight) ends(status loop.Status, reason loop.Reason, ends ...loop.End) {
	o := s.object
	if o.Status != status || reason != "" && text(o.Reason) != string(reason) {
		s.complain("%s/%s (%s), want %s/%s", o.Status, text(o.Reason), o.Message, status, reason)
	}
	if got := loop.End(text(s.last().AgentEnd)); len(ends) > 0 && !slices.Contains(ends, got) {
		s.complain("the agent ended as %s (%s), want %v", got, text(s.run().Message), ends)
	}
}

// says expects a word in what is said of the agent's end.
func (s *sight) says(words ...string) {
	m := text(s.run().Message)
	if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m, w) }) {
		s.complain("the message is %q, want one of %q", m, words)
	}
}

func (s *sight) count(what string, got *int64, want int64) {
	if got == nil || *got != want {
		n := "n/a"
		if got != nil {
			n = fmt.Sprint(*got)
		}
		s.complain("%s: %s, want %d", what, n, want)
	}
}

func text[T ~string](p *T) string {
	if p == nil {
		return ""
	}
	return string(*p)
}

// cell is what was recorded, in a few words.
func (s *sight) cell() string {
	if s.trial.words != nil {
		if w := s.trial.words(s); w != "" {
			return w
		}
	}
	o := s.object
	out := string(o.Status)
	if r := text(o.Reason); r != "" && o.Status != loop.StatusPassed {
		out += " " + r
	}
	if e := text(s.last().AgentEnd); e != "" && e != "done" {
		out += ", agent " + e
	}
	return out
}
