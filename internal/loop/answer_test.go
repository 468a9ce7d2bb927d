package loop

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// timed is a question whose default is taken after half an hour.
func timed() Question {
	return Question{Text: "Which way?", Options: []string{"left", "right"}, Default: "left", Within: 30 * time.Minute}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"deadline/the default is taken when it comes", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: new(timed())})
			a := w.until(DoWait)
			w.is(Waiting, ForHuman)
			q := w.s.Open()
			if want := q.AskedAt.Add(30 * time.Minute); !q.Deadline.Equal(want) || !a.Wake.Equal(want) || a.Question != "q1" || q.Within != 0 {
				t.Fatalf("%+v, wakes %s", q, a.Wake)
			}
			w.refuses(Woke{Stamp: w.stamp()})
			w.refuses(Woke{Stamp: w.stamp(), Question: "q2"})
			w.refuses(Answered{Stamp: w.stamp(), Text: "left", By: ByPolicy})
			before := w.s.Active
			s := w.ends(StatusPassed, Green, 1)
			q = &s.Questions[0]
			if q.Answer != "left" || !q.AnsweredByPolicy() || q.AnsweredAt.Before(q.Deadline) || s.Active > before+time.Minute {
				t.Errorf("%+v, active %s", q, s.Active)
			}
		}},
		{"place/a look from a terminal leaves a question in the background", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: new(timed())})
			w.do(Acquired{Stamp: w.stamp(), Place: Background})
			w.until(DoWait)
			w.do(Acquired{Stamp: w.stamp(), Place: Foreground})
			w.place(Background)
			w.do(Answered{Stamp: w.stamp(), Text: "left"})
			w.do(Acquired{Stamp: w.stamp()})
			w.place(Background)
			w.do(Acquired{Stamp: w.stamp(), Place: Foreground})
			w.place(Foreground)
		}},
		{"place/a question of a terminal moves to the background", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: new(timed())})
			w.do(Acquired{Stamp: w.stamp(), Place: Foreground})
			w.until(DoWait)
			w.do(Acquired{Stamp: w.stamp(), Place: Background})
			w.place(Background)
		}},
		{"deadline/a person who answers first has the word", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: new(timed())})
			w.until(DoWait)
			w.do(Answered{Stamp: w.stamp(), Text: "right", By: "ada"})
			w.refuses(Woke{Stamp: w.stamp(), Question: "q1"})
			if s := w.ends(StatusPassed, Green, 1); s.Questions[0].Answer != "right" || s.Questions[0].AnsweredByPolicy() || !s.Wake.IsZero() {
				t.Errorf("%+v", s.Questions)
			}
		}},
		{"deadline/a default that was taken is final", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: new(timed())})
			w.until(DoWait)
			w.do(Woke{Stamp: w.stamp(), Question: "q1"})
			w.refuses(Answered{Stamp: w.stamp(), Text: "right"})
			w.refuses(Answered{Stamp: w.stamp(), Text: "right", Question: "q1"})
		}},
		{"deadline/while the agent is at work", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(Asked{Stamp: w.stamp(), Question: timed()})
			w.do(Woke{Stamp: w.stamp(), Question: "q1"})
			if !w.s.Began || w.s.Open() != nil {
				t.Fatalf("%+v", w.s.Questions)
			}
			w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndDone}})
			w.ends(StatusPassed, Green, 1)
		}},
		{"deadline/what else is waited for is waited for on", func(t *testing.T) {
			for name, event := range map[string]Event{
				"default": Woke{Question: "q1"}, "person": Answered{Text: "right"},
			} {
				w := newWorld(t, nil)
				w.until(DoAgent)
				w.do(AttemptBegan{Stamp: w.stamp()})
				w.do(Asked{Stamp: w.stamp(), Question: timed()})
				reset := noon.Add(time.Hour)
				w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndLimit, ResetAt: reset, Message: "used up"}})
				switch e := event.(type) {
				case Woke:
					e.Stamp = w.stamp()
					w.do(e)
				case Answered:
					e.Stamp = w.stamp()
					w.do(e)
				}
				if w.is(Waiting, ForLimit); w.s.Open() != nil || !w.s.Wake.Equal(reset) || w.s.Message != "used up" {
					t.Errorf("%s: until %s, %q", name, w.s.Wake, w.s.Message)
				}
				w.ends(StatusPassed, Green, 1)
			}
		}},
		{"deadline/a pause keeps it, and what is due comes after", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: new(timed())})
			w.until(DoWait)
			w.do(PauseAsked{Stamp: w.stamp()})
			w.now = w.now.Add(time.Hour)
			w.refuses(Woke{Stamp: w.stamp(), Question: "q1"})
			w.do(Resumed{w.stamp()})
			w.is(Waiting, ForHuman)
			if s := w.ends(StatusPassed, Green, 1); !s.Questions[0].AnsweredByPolicy() {
				t.Errorf("%+v", s.Questions)
			}
		}},
		{"deadline/a question of a run that was paused keeps it from nothing", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(Asked{Stamp: w.stamp(), Question: timed()})
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Interrupted{Stamp: w.stamp(), Why: "paused"})
			w.is(Paused, "")
			w.do(Resumed{w.stamp()})
			w.is(Running, "")
			w.do(Woke{Stamp: w.stamp(), Question: "q1"})
			w.ends(StatusPassed, Green, 1)
		}},
		{"deadline/a loop that its agent drives goes on", func(t *testing.T) {
			s := apply(t, byAgent(t, nil), Asked{Stamp: at(0), Question: timed()})
			s = apply(t, s, Woke{Stamp: at(time.Hour), Question: "q1"})
			if s.Status != Running || s.Open() != nil || s.Active != 0 {
				t.Errorf("%s, active %s", s.Status, s.Active)
			}
		}},
	})
}

// TestOnlyAPersonAnswersTheRest: a time that a question cannot have is refused
// where it is asked, and where the run that asked is over the question waits for a
// person.
func TestOnlyAPersonAnswersTheRest(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Question){
		"negative":     func(q *Question) { q.Within = -time.Second },
		"too long":     func(q *Question) { q.Within = MaxWithin + 1 },
		"no default":   func(q *Question) { q.Default = " " },
		"for a gate":   func(q *Question) { q.Gate = "look" },
		"work":         func(q *Question) { q.Work = true },
		"its own time": func(q *Question) { q.Within, q.Deadline = 0, noon },
	} {
		q := timed()
		change(&q)
		w := newWorld(t, nil)
		w.agent = once(Outcome{End: EndAsked, Question: &q})
		w.run()
		if w.is(Waiting, ForHuman); !w.s.Open().Deadline.IsZero() || !w.s.Wake.IsZero() {
			t.Errorf("%s: due at %s", name, w.s.Open().Deadline)
		}
		w.refuses(Woke{Stamp: w.stamp(), Question: "q1"})
		if driven := byAgent(t, nil); name != "its own time" {
			refuses(t, driven, Asked{Stamp: at(0), Question: q})
		}
	}
	for _, within := range []time.Duration{1, MaxWithin} {
		q := timed()
		q.Within = within
		s := apply(t, byAgent(t, nil), Asked{Stamp: at(0), Question: q})
		if want := at(within).At; !s.Open().Deadline.Equal(want) || !s.Wake.Equal(want) {
			t.Errorf("within %s: due at %s", within, s.Open().Deadline)
		}
	}
}

// TestNoDefaultBeforeItsTime: whoever waits as long as the machine says takes no
// default early, and every question that may be is answered.
func TestNoDefaultBeforeItsTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, now := New(anySpec(t), noon), noon
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now = now.Add(time.Second)
			if a := Next(s); a.Do == DoWait && now.Before(a.Wake) {
				now = a.Wake
			}
			after, err := Apply(s, legal(t, s, Stamp{At: now}))
			if err != nil {
				continue
			}
			s = after
			for _, q := range s.Questions {
				if !q.Deadline.IsZero() && q.AnsweredByPolicy() && q.AnsweredAt.Before(q.Deadline) {
					t.Fatalf("taken at %s: %+v", q.AnsweredAt, q)
				}
			}
		}
	})
}
