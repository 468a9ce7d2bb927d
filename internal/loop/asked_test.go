package loop

import (
	"testing"
	"time"
)

// byAgent is a loop that its agent drives.
func byAgent(t *testing.T, change func(*Spec)) State {
	t.Helper()
	spec := Spec{
		ID: "a", Mode: AgentDriven, Task: Task{Text: "do it"}, Limits: AgentDrivenLimits(),
		Gates: []Gate{{Name: "tests", Kind: KindTests, Level: Hard, Run: "true"}},
	}
	if change != nil {
		change(&spec)
	}
	if err := spec.Validate(); err != nil {
		t.Fatal(err)
	}
	return New(spec, start())
}

func start() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }

func at(d time.Duration) Stamp { return Stamp{At: start().Add(d)} }

func apply(t *testing.T, s State, events ...Event) State {
	t.Helper()
	for _, e := range events {
		next, err := Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return s
}

func refuses(t *testing.T, s State, e Event) {
	t.Helper()
	if _, err := Apply(s, e); err == nil {
		t.Errorf("%s was not refused in %s/%s", e.Name(), s.Status, s.Step)
	}
}

func asked(at Stamp) Asked { return Asked{at, Question{Text: "which one?"}, nil} }

func TestADrivenLoopWaitsForItsAnswer(t *testing.T) {
	t.Parallel()
	s := apply(t, byAgent(t, nil), asked(at(time.Minute)))
	if s.Status != Waiting || s.Reason != ForHuman || s.Open() == nil || s.Open().ID != "q1" {
		t.Fatalf("%s/%s %v", s.Status, s.Reason, s.Open())
	}
	refuses(t, s, asked(at(2*time.Minute)))
	refuses(t, s, Committed{Stamp: at(2 * time.Minute), Commit: "c", Tree: "t"})
	s = apply(t, s, Answered{Stamp: at(3 * time.Hour), Text: "the first"}, Ticked{at(3*time.Hour + time.Minute)})
	if s.Status != Running || s.Active != 2*time.Minute {
		t.Errorf("%s after the answer, active %s: waiting for a person costs no time", s.Status, s.Active)
	}
}

func TestQuestionsOfADrivenLoopAreBounded(t *testing.T) {
	t.Parallel()
	s := byAgent(t, nil)
	for range s.Limits.Questions {
		s = apply(t, s, asked(at(0)), Answered{Stamp: at(0), Text: "x"})
	}
	refuses(t, s, asked(at(0)))
	refuses(t, byAgent(t, nil), Asked{at(0), Question{Text: " \n"}, nil})
}

func TestAQuestionOnTheWayIsPutAfterTheRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.refuses(asked(w.stamp()))
	w.until(DoAgent)
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(asked(w.stamp()))
	if w.s.Status != Running {
		t.Fatalf("%s while the agent still works", w.s.Status)
	}
	w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndDone}})
	if w.s.Status != Waiting || w.s.Reason != ForHuman {
		t.Fatalf("%s/%s", w.s.Status, w.s.Reason)
	}
	w.do(Answered{Stamp: w.stamp(), Text: "the first"})
	if a := Next(w.s); a.Do != DoAgent || a.Attempt != 1 {
		t.Errorf("next is %s of attempt %d: the answer belongs to the attempt that asked", a.Do, a.Attempt)
	}
	w.ends(StatusPassed, Green, 1)
}

func TestAnAnswerInTimeStopsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.until(DoAgent)
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(asked(w.stamp()))
	w.do(Answered{Stamp: w.stamp(), Text: "the first"})
	w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndDone}})
	if a := Next(w.s); w.s.Status != Running || a.Do != DoCommit {
		t.Errorf("%s, next %s", w.s.Status, a.Do)
	}
}

func TestALoopWaitsForAnother(t *testing.T) {
	t.Parallel()
	s := byAgent(t, func(spec *Spec) { spec.After = []string{"b"} })
	if s.Status != Waiting || s.Reason != ForLoop {
		t.Fatalf("%s/%s", s.Status, s.Reason)
	}
	refuses(t, s, Committed{Stamp: at(time.Minute), Commit: "c", Tree: "t"})
	s = apply(t, s, Ticked{at(time.Hour)}, Woke{Stamp: at(2 * time.Hour)}, Ticked{at(2*time.Hour + time.Minute)})
	if s.Status != Running || s.Active != time.Minute {
		t.Errorf("%s, active %s: time before its turn does not count", s.Status, s.Active)
	}
	s = apply(t, byAgent(t, func(spec *Spec) { spec.After = []string{"b"} }), AbortAsked{Stamp: at(0), Why: "b failed", Reason: Policy})
	if s.Status != Aborted || s.Reason != Policy {
		t.Errorf("%s/%s", s.Status, s.Reason)
	}
}

func TestNobodyChoosesTheReasonOfAnAbort(t *testing.T) {
	t.Parallel()
	s := apply(t, byAgent(t, nil), AbortAsked{Stamp: at(0), Reason: Green})
	if s.Status != Aborted || s.Reason != Manual {
		t.Errorf("%s/%s", s.Status, s.Reason)
	}
}

func TestWaitingNeedsSense(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Spec){
		"itself":     func(s *Spec) { s.After = []string{s.ID} },
		"supervised": func(s *Spec) { s.Mode, s.After = Supervised, []string{"b"} },
		"parent":     func(s *Spec) { s.Parent = "../b" },
	} {
		s := byAgent(t, nil).Spec
		change(&s)
		if err := s.Validate(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestACutLeavesItsNote: what a crash has cost stands with the attempt, where
// people look twice.
func TestACutLeavesItsNote(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.until(DoAgent)
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(Interrupted{Stamp: w.stamp(), Why: "killed", Note: "the worktree was deleted"})
	if notes := w.s.Last().Notes; len(notes) != 1 || notes[0] != "the worktree was deleted" {
		t.Errorf("notes %q", notes)
	}
}
