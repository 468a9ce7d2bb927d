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
	// scene is the behavior of the model.
	scene func(client) modelserver.Scene
	// attempts is the maximum; stall is the longest silence allowed.
	attempts int
	stall    time.Duration
	// wait bounds the time for which a loop waits for a provider that does not
	// serve; zero is a second.
	wait time.Duration
	// env replaces an agent's variables, if it returns any.
	env func(c client, url string) []string
	// act runs the case; nil runs ralph to its end.
	act func(context.Context, *stage) error
	// want records what differs from the expectation.
	want func(*sight)
	// words describes the record; nil is status, reason and end.
	words func(*sight) string
}

// patience is the longest silence of an agent. It is short where silence is
// tested.
func (t trial) patience(slow float64) time.Duration {
	if t.stall == 0 {
		t.stall = 2 * time.Minute
	}
	return time.Duration(float64(t.stall) * max(slow, 1)).Round(time.Second)
}

// short is longer than any of them needs on an idle machine.
const short = 15 * time.Second

func (t trial) environment(c client, url string) []string {
	if t.env != nil {
		if env := t.env(c, url); env != nil {
			return env
		}
	}
	return c.env(url)
}

// sight is the result of a case.
type sight struct {
	*stage
	object view.Object
	seen   []modelserver.Seen
	// left are processes that should have ended.
	left  []process
	wrong []string
}

func (s *sight) complain(format string, args ...any) {
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// last returns the newest attempt, or an empty one.
func (s *sight) last() view.AttemptObject {
	if n := len(s.object.Attempts); n > 0 {
		return s.object.Attempts[n-1]
	}
	return view.AttemptObject{}
}

// run returns the newest run of the agent.
func (s *sight) run() view.AgentRun {
	if r := s.last().AgentRun; r != nil {
		return *r
	}
	return view.AgentRun{}
}

// ends expects a status, its reason unless that is empty, and one of the ends
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

// says expects a word in the message of the agent's end.
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

// cell is the record in a few words.
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
