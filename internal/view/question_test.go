package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// TestDue: a question that waits for a person promises nothing, one with a deadline
// says when, and one over due what it takes.
func TestDue(t *testing.T) {
	t.Parallel()
	q := loop.Question{ID: "q1", Text: "Which way?", Default: "left"}
	for name, tc := range map[string]struct {
		deadline time.Time
		answered bool
		want     string
	}{
		"waits for a person": {},
		"today":              {deadline: clockAt(13, 40), want: "left is taken at 13:40"},
		"tomorrow":           {deadline: clockAt(37, 40), want: "left is taken at 2026-11-21 13:40"},
		"now":                {deadline: now, want: "left is taken once it is resumed"},
		"answered":           {deadline: clockAt(13, 40), answered: true},
	} {
		q := q
		q.Deadline, q.Answered = tc.deadline, tc.answered
		if got := Due(q, now); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	q.Deadline, q.Default = clockAt(13, 40), "a\x1b[31m\n"+strings.Repeat("long ", 50)
	if got := Due(q, now); len(got) > 80 || strings.ContainsAny(got, "\x1b\n") {
		t.Errorf("%q", got)
	}
}

// TestDeadlineIsSeen: wherever a question that is open is shown to people, its time is.
func TestDeadlineIsSeen(t *testing.T) {
	t.Parallel()
	s := started("road", "Build the road", clockAt(11, 50))
	s.Status, s.Reason, s.Wake = loop.Waiting, loop.ForHuman, clockAt(13, 40)
	s.Questions = []loop.Question{{ID: "q1", Text: "Which way?", Default: "left", AskedAt: clockAt(11, 55), Deadline: clockAt(13, 40)}}
	i := Item{State: s, Facts: Facts{Live: true}}
	alone := List([]Item{{State: s}}, nil, "", false, 0, now, Palette{})
	if !strings.Contains(alone, "if it runs then: ralph resume road") {
		t.Errorf("a time is promised without a process that keeps it:\n%s", alone)
	}
	rests := s
	rests.Status, rests.Message = loop.Paused, "Which way?"
	for where, got := range map[string]string{"list": List([]Item{{State: rests}}, nil, "", false, 0, now, Palette{}), "show": LoopOf(Item{rests, Facts{}}, now).Show(now, Palette{})} {
		for _, want := range []string{"asks: Which way?", "ralph answer road", "left is taken from", "13:40"} {
			if !strings.Contains(text.Line(got), want) {
				t.Errorf("%s of a paused loop lacks %q:\n%s", where, want, got)
			}
		}
	}
	before := s
	before.Status, before.Reason = loop.Running, ""
	for where, got := range map[string]string{
		"list":   List([]Item{i}, nil, "", false, 0, now, Palette{}),
		"show":   LoopOf(Item{i.State, i.Facts}, now).Show(now, Palette{}),
		"run":    strings.Join(Lines(before, Item{State: s}, loop.AgentEnded{Stamp: loop.Stamp{At: now}}, now, Palette{}), "\n"),
		"report": Markdown(Summarize("shop", []Item{i}, nil, now), now),
	} {
		if !strings.Contains(got, "left is taken at 13:40") {
			t.Errorf("%s does not tell the time:\n%s", where, got)
		}
	}
	taken := s
	taken.Questions = []loop.Question{s.Questions[0]}
	taken.Questions[0].Answer, taken.Questions[0].Answered, taken.Questions[0].By = "left", true, loop.ByPolicy
	taken.Status, taken.Reason = loop.Running, ""
	woke := loop.Woke{Stamp: loop.Stamp{At: clockAt(13, 40)}, Question: "q1"}
	for _, got := range []string{strings.Join(Lines(s, Item{State: taken}, woke, now, Palette{}), "\n"), strings.Join(Plain(s, taken, woke), "\n")} {
		if !strings.Contains(got, "unanswered") || !strings.Contains(got, "left") {
			t.Errorf("not shown that no person decided: %s", got)
		}
	}
}
