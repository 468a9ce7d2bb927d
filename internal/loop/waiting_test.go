package loop

import (
	"testing"
	"time"
)

// once answers first once, then end.
func once(first Outcome) func(Action) Outcome {
	asked := false
	return func(Action) Outcome {
		if !asked {
			asked = true
			return first
		}
		return Outcome{End: EndDone}
	}
}

func always(o Outcome) func(Action) Outcome { return func(Action) Outcome { return o } }

func TestWaiting(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"wait/transient errors consume no attempt", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndTransient, Message: "overloaded"})
			s := w.ends(StatusPassed, Green, 1)
			if w.did(DoWait) != 1 || s.Last().Crashes != 0 {
				t.Errorf("waited %d times, %d crashes", w.did(DoWait), s.Last().Crashes)
			}
		}},
		{"wait/transient errors back off, doubling, within bounds", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = always(Outcome{End: EndTransient, Message: "overloaded"})
			var delays []time.Duration
			for w.s.Ending == nil {
				if w.s.Status == Waiting {
					delays = append(delays, w.s.Wake.Sub(w.now))
				}
				w.turn()
			}
			w.ends(StatusFailed, AgentError, 1)
			if len(delays) != 5 || delays[0] != 5*time.Second || delays[4] != 80*time.Second {
				t.Errorf("delays %v", delays)
			}
		}},
		{"wait/a limit waits until it is reset", func(t *testing.T) {
			w := newWorld(t, nil)
			reset := noon.Add(5 * time.Hour)
			w.agent = once(Outcome{End: EndLimit, ResetAt: reset, Message: "used up"})
			a := w.until(DoWait)
			if !a.Wake.Equal(reset) || w.s.Reason != ForLimit || w.s.Message != "used up" {
				t.Errorf("wakes %s for %s: %s", a.Wake, w.s.Reason, w.s.Message)
			}
			before := w.s.Active
			if s := w.ends(StatusPassed, Green, 1); s.Active > before+time.Minute {
				t.Errorf("waiting counted: %s", s.Active)
			}
		}},
		{"wait/an unknown reset, or one in the past, is asked again later", func(t *testing.T) {
			for _, reset := range []time.Time{{}, noon.Add(-time.Hour)} {
				w := newWorld(t, nil)
				w.agent = once(Outcome{End: EndLimit, ResetAt: reset})
				w.until(DoWait)
				if d := w.s.Wake.Sub(w.now); d != 5*time.Second {
					t.Errorf("reset %s: waits %s", reset, d)
				}
				w.ends(StatusPassed, Green, 1)
			}
		}},
		{"wait/an unknown reset is asked for ever, at most hourly", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = always(Outcome{End: EndLimit})
			for range 50 {
				w.until(DoWait)
				if d := w.s.Wake.Sub(w.now); d <= 0 || d > time.Hour {
					t.Fatalf("waits %s", d)
				}
				w.turn()
			}
			if w.s.Iteration != 1 || w.s.Status != Running {
				t.Errorf("%s at %d", w.s.Status, w.s.Iteration)
			}
		}},
		{"wait/nights of limits leave crashes and transient errors their patience", func(t *testing.T) {
			w := newWorld(t, nil)
			n := 0
			w.agent = func(Action) Outcome {
				switch n++; {
				case n <= 20:
					return Outcome{End: EndLimit}
				case n == 21:
					return Outcome{End: EndTransient}
				}
				return Outcome{End: EndDone}
			}
			for n < 21 {
				w.turn()
			}
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(Interrupted{Stamp: w.stamp()})
			w.ends(StatusPassed, Green, 1)
			if w.s.Last().Crashes != 1 || w.s.Last().Agent.End != EndDone {
				t.Errorf("%+v", w.s.Last())
			}
		}},
		{"wait/each run of the agent has a key of its own", func(t *testing.T) {
			w := newWorld(t, nil)
			n := 0
			w.agent = func(Action) Outcome {
				n++
				return []Outcome{{End: EndLimit}, {End: EndTransient}, {End: EndDone}}[n-1]
			}
			w.ends(StatusPassed, Green, 1)
			if keys := w.keys(DoAgent); len(keys) != 3 {
				t.Errorf("keys %v", keys)
			}
		}},
		{"wait/a permanent error ends the loop at once", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = always(Outcome{End: EndPermanent, Message: "not logged in"})
			if s := w.ends(StatusFailed, AgentError, 1); s.Message != "not logged in" || w.did(DoGate) != 1 {
				t.Errorf("%q after %d gates", s.Message, w.did(DoGate))
			}
		}},
		{"wait/a lock is waited for a bounded number of times", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoCommit)
			for range 5 {
				w.until(DoCommit)
				w.do(WorkFailed{Stamp: w.stamp(), Step: StepCommit, Message: "index.lock", Busy: true})
				w.is(Waiting, ForLock)
			}
			w.until(DoCommit)
			w.do(WorkFailed{Stamp: w.stamp(), Step: StepCommit, Message: "index.lock", Busy: true})
			w.ends(StatusFailed, GitError, 1)
		}},
		{"wait/reviewers that cannot be had are tried again, and hold no lock", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoGate)
			w.do(WorkFailed{Stamp: w.stamp(), Step: w.s.Step, Message: "overloaded", Busy: true, Provider: true})
			w.is(Waiting, ForRetry)
		}},
		{"wait/a lock while the agent starts leaves it to be started", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(WorkFailed{Stamp: w.stamp(), Step: StepAgent, Message: "busy", Busy: true})
			w.do(Woke{Stamp: w.stamp()})
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
		{"wait/a wish to have it tried now holds until the agent starts", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndLimit, ResetAt: noon.Add(5 * time.Hour)})
			w.until(DoWait)
			w.do(Woke{Stamp: w.stamp(), Asked: true})
			w.do(Interrupted{Stamp: w.stamp(), Why: "crash"})
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Interrupted{Stamp: w.stamp()})
			w.do(Resumed{w.stamp()})
			if !w.s.TryNow {
				t.Error("forgotten before it was tried")
			}
			w.do(AttemptBegan{Stamp: w.stamp()})
			if w.refuses(Woke{Stamp: w.stamp(), Asked: true}); w.s.TryNow {
				t.Error("kept for the agent after this one")
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"wait/a question is asked and answered", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: &Question{Text: "Which port?", Options: []string{"80"}}})
			s := w.run()
			w.is(Waiting, ForHuman)
			if q := s.Open(); q == nil || q.ID != "q1" || s.Message != "Which port?" {
				t.Fatalf("open %+v, message %q", q, s.Message)
			}
			w.refuses(Woke{Stamp: w.stamp()})
			w.do(Answered{Stamp: w.stamp(), Text: "80"})
			w.refuses(Answered{Stamp: w.stamp(), Text: "81"})
			s = w.ends(StatusPassed, Green, 1)
			if s.Questions[0].Answer != "80" || len(w.keys(DoAgent)) != 2 {
				t.Errorf("%+v after %v", s.Questions, w.keys(DoAgent))
			}
		}},
		{"wait/more questions than allowed are a failed run", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.Questions = 1 }))
			w.agent = always(Outcome{End: EndAsked, Question: &Question{Text: "Why?"}})
			w.run()
			w.do(Answered{Stamp: w.stamp(), Text: "because"})
			s := w.ends(StatusPassed, Green, 1)
			if s.Last().Agent.End != EndFailed || len(s.Questions) != 1 {
				t.Errorf("%+v", s.Last().Agent)
			}
		}},
		{"wait/a person's work is answered and committed", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.Questions = 0 }))
			w.agent = always(Outcome{End: EndAsked, Question: &Question{Text: "Please do it.", Work: true}})
			w.gate = attempts(failing("a"), passing())
			w.run()
			w.do(Answered{Stamp: w.stamp(), Text: "done"})
			if w.s.Step != StepCommit {
				t.Fatalf("at %s", w.s.Step)
			}
			w.run()
			w.do(Answered{Stamp: w.stamp(), Text: "now it is"})
			w.ends(StatusPassed, Green, 2)
		}},
		{"wait/an answer cannot revive a loop that ends", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = always(Outcome{End: EndAsked, Question: &Question{Text: "Please do it.", Work: true}})
			w.run()
			w.do(AbortAsked{Stamp: w.stamp()})
			w.refuses(Answered{Stamp: w.stamp(), Text: "done"})
			if s := w.ends(Aborted, Manual, 1); s.Open() != nil {
				t.Error("a question of an ended loop is open")
			}
		}},
		{"wait/an answer while paused is kept for later", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: &Question{Text: "Which?"}})
			w.run()
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Answered{Stamp: w.stamp(), Text: "this"})
			w.is(Paused, "")
			w.do(Resumed{w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
	})
}

func TestPausing(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"pause/at the boundary of the step under way", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(PauseAsked{Stamp: w.stamp()})
			w.is(Running, "")
			w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndDone}})
			w.is(Paused, "")
			if a := Next(w.s); a.Do != DoNothing {
				t.Errorf("next %s", a.Do)
			}
			w.refuses(PauseAsked{Stamp: w.stamp()})
			w.now = w.now.Add(8 * time.Hour)
			w.do(Resumed{w.stamp()})
			if s := w.ends(StatusPassed, Green, 1); s.Active > time.Minute {
				t.Errorf("the pause counted: %s", s.Active)
			}
		}},
		{"pause/taken back before it happens", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoCommit)
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Resumed{w.stamp()})
			w.refuses(Resumed{w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
		{"pause/again and again uses up nothing", func(t *testing.T) {
			w := newWorld(t, nil)
			interrupt := func() {
				w.do(PauseAsked{Stamp: w.stamp()})
				w.do(Interrupted{Stamp: w.stamp(), Why: "paused"})
				w.is(Paused, "")
				w.do(Resumed{w.stamp()})
			}
			w.until(DoAgent)
			for range 20 {
				w.do(AttemptBegan{Stamp: w.stamp()})
				interrupt()
			}
			for w.until(DoGate); w.s.Step == StepBase; w.until(DoGate) {
				w.turn()
			}
			for range 20 {
				interrupt()
			}
			if s := w.ends(StatusPassed, Green, 1); s.Last().Interruptions != 20 || s.Last().Crashes != 0 {
				t.Errorf("%d interruptions, %d crashes", s.Last().Interruptions, s.Last().Crashes)
			}
		}},
		{"end/what has passed is brought home", func(t *testing.T) {
			w := newWorld(t, nil)
			w.refuses(Accepted{Stamp: w.stamp(), Branch: "main", Commit: "h1"})
			w.ends(StatusPassed, Green, 1)
			w.refuses(Accepted{Stamp: w.stamp(), Branch: "main"})
			w.do(Accepted{Stamp: w.stamp(), Branch: "main", Commit: "h1"})
			if w.s.Accepted != "h1" {
				t.Errorf("accepted as %q", w.s.Accepted)
			}
		}},
		{"pause/everywhere, and the end is the same", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"), passing())
			for range 200 {
				if Next(w.s).Do == DoNothing && w.s.Status == Paused {
					w.do(Resumed{w.stamp()})
				}
				if w.s.Ending == nil && w.s.Status == Running {
					w.do(PauseAsked{Stamp: w.stamp()})
				}
				if !w.turn() && w.s.Status.Terminal() {
					break
				}
			}
			w.ends(StatusPassed, Green, 2)
		}},
		{"pause/while waiting for a limit", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndLimit, ResetAt: noon.Add(time.Hour), Message: "used up"})
			w.until(DoWait)
			w.do(PauseAsked{Stamp: w.stamp()})
			w.is(Paused, ForLimit)
			w.refuses(Woke{Stamp: w.stamp()})
			w.do(Resumed{w.stamp()})
			w.is(Waiting, ForLimit)
			if w.s.Message != "used up" || !w.s.Wake.Equal(noon.Add(time.Hour)) {
				t.Errorf("%q until %s", w.s.Message, w.s.Wake)
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"pause/asked for just before a limit", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndLimit, ResetAt: noon.Add(time.Hour)}})
			w.is(Paused, ForLimit)
			w.do(Resumed{w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
		{"pause/while a person is asked", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndAsked, Question: &Question{Text: "Which?"}})
			w.run()
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Resumed{w.stamp()})
			w.is(Waiting, ForHuman)
			if w.s.Message != "Which?" {
				t.Error(w.s.Message)
			}
		}},
		{"pause/before anybody ran it", func(t *testing.T) {
			w := newWorld(t, nil)
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Acquired{Stamp: w.stamp()})
			w.is(Paused, "")
			w.do(Resumed{w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
		{"pause/not while the loop is ending", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoTidy)
			w.refuses(PauseAsked{Stamp: w.stamp()})
			w.refuses(Steered{Stamp: w.stamp(), Text: "left"})
			w.refuses(AbortAsked{Stamp: w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
	})
}

func TestAbortAnywhere(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		w := newWorld(t, nil)
		w.gate = attempts(failing("a"), failing("b"), passing())
		w.agent = once(Outcome{End: EndLimit})
		for range n {
			w.turn()
		}
		if w.s.Ending != nil {
			return
		}
		prepared := w.s.Worktree != ""
		w.do(AbortAsked{Stamp: w.stamp(), Why: "enough"})
		s := w.ends(Aborted, Manual, w.s.Iteration)
		if (w.did(DoKeep) == 1) != prepared || (s.FailureRef != "") != prepared || s.Message != "enough" {
			t.Errorf("after %d turns: kept %d times on %q, %s", n, w.did(DoKeep), s.FailureRef, s.Message)
		}
	}
	t.Fatal("the loop never ended by itself")
}

func TestAbortOfALoopNobodyRan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.do(AbortAsked{Stamp: w.stamp()})
	w.is(Aborted, Manual)
}

func TestSteering(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.do(Steered{Stamp: w.stamp(), Text: "use the cache"})
	w.until(DoAgent)
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(Steered{Stamp: w.stamp(), Text: "and the index"})
	s := w.ends(StatusPassed, Green, 1)
	if len(s.Guidance) != 2 || s.Guidance[1] != "and the index" {
		t.Errorf("guidance %q", s.Guidance)
	}
	if late := s.Unheard(); len(late) != 1 || late[0] != "and the index" {
		t.Errorf("no attempt had %q", late)
	}
}

// TestGuidanceOfARetry: what reached no attempt of a loop is that of its retry, whose first
// attempt has it. An agent that drives its loop reads all of it.
func TestGuidanceOfARetry(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(s *Spec) { s.Guided = []string{"use the cache"} })
	if late := w.s.Unheard(); len(late) != 1 {
		t.Errorf("before its first attempt: %q", late)
	}
	w.until(DoAgent)
	w.do(AttemptBegan{Stamp: w.stamp()})
	if s := w.s; len(s.Guidance) != 1 || len(s.Unheard()) != 0 {
		t.Errorf("guidance %q, no attempt had %q", s.Guidance, s.Unheard())
	}
	driven := New(Spec{ID: "d", Mode: AgentDriven}, time.Time{})
	if why := (Steered{Text: "x"}).apply(&driven); why != "" || len(driven.Unheard()) != 0 {
		t.Errorf("%s %q", why, driven.Unheard())
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	q := Question{Options: []string{"half up", "bankers"}, Default: "half up"}
	for in, want := range map[string]string{"": "half up", "0": "0", "1": "half up", "2": "bankers", "3": "3", "up": "up"} {
		if got := q.Choose(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := (Question{}).Choose(""); got != "" {
		t.Errorf("no default: got %q", got)
	}
}
