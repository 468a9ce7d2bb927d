//go:build linux

package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/store"
	"ralph/internal/testing/tier"
)

// asksWithin is an agent that asks, ends its run, and does the work when it goes on.
func asksWithin(within string) scene {
	return scene{max: 2, script: `attempts: [[{ask: {text: "Which way?", options: [left, right], default: left, within: ` + within + `}}, {write: {path: answer.txt, text: "3\n"}}]]`}
}

// timedLoop is a loop of such an agent, and an engine with a clock that can be set.
func timedLoop(t *testing.T, s scene, clock *atomic.Int64) (world, order, *local.Engine) {
	t.Helper()
	w, o := newWorld(t, s)
	o.clock = func() time.Time { return time.Now().Add(time.Duration(clock.Load())) }
	e, closed, err := o.wired(t.Context(), nil)
	must(t, err)
	t.Cleanup(closed)
	return w, o, e
}

// defaulted checks that only the deadline answered the only question.
func defaulted(t *testing.T, s loop.State) {
	t.Helper()
	if s.Status != loop.StatusPassed || len(s.Questions) != 1 || s.Questions[0].Answer != "left" || !s.Questions[0].AnsweredByPolicy() {
		t.Fatalf("%s/%s %s: %+v", s.Status, s.Reason, s.Message, s.Questions)
	}
}

// TestDeadlineIsWaitedFor: a run stays where nobody else waits for the answer, and
// takes the default in its time, whatever the clock on the wall does meanwhile.
func TestDeadlineIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]time.Duration{
		"the clock is right": 0, "set back a year": -365 * 24 * time.Hour, "set forward an hour": time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var clock atomic.Int64
			w, o, e := timedLoop(t, asksWithin("700ms"), &clock)
			var asked, taken time.Time
			s, err := e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{Watch: func(u engine.Update) {
				switch e := u.Event.(type) {
				case loop.AgentEnded:
					if e.Outcome.End == loop.EndAsked {
						asked = e.At // the deadline counts from there
						clock.Store(int64(set))
					}
				case loop.Woke:
					taken = time.Now()
				}
			}})
			must(t, err)
			defaulted(t, s)
			if q := s.Questions[0]; set == 0 && q.AnsweredAt.Before(q.Deadline) || taken.Sub(asked) > time.Minute {
				t.Errorf("taken %s after it was asked: %+v", taken.Sub(asked), q)
			}
			w.sound(t, s.ID)
		})
	}
}

// TestWhoDrivesMayRest: a run that is told to rests at the question; taken up too
// early it rests again, and when the time is over it goes on at once.
func TestWhoDrivesMayRest(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	w, o, e := timedLoop(t, asksWithin("1h"), &clock)
	rests := engine.Drive{Rests: true}
	s, err := e.Start(t.Context(), o.Spec, engine.Options{}, rests)
	must(t, err)
	for range 2 {
		if s.Status != loop.Waiting || s.Reason != loop.ForHuman || s.Open().Deadline.IsZero() {
			t.Fatalf("%s/%s %+v", s.Status, s.Reason, s.Open())
		}
		s, err = e.Resume(t.Context(), s.ID, engine.Options{}, rests)
		must(t, err)
	}
	clock.Store(int64(time.Hour))
	s, err = e.Resume(t.Context(), s.ID, engine.Options{}, rests)
	must(t, err)
	defaulted(t, s)
	w.sound(t, s.ID)
}

// askedElsewhere is a loop that asks until in an hour, and that another owner holds.
func askedElsewhere(t *testing.T, clock *atomic.Int64) (world, *local.Engine, *store.LoopLease) {
	t.Helper()
	w, o, e := timedLoop(t, asksWithin("1h"), clock)
	s, err := e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{Rests: true})
	must(t, err)
	other, err := store.Open(t.Context(), filepath.Join(w.repo(), ".git", "ralph"), store.Options{Owner: "other"})
	must(t, err)
	t.Cleanup(func() { must(t, other.Close()) })
	lease, err := other.Acquire(t.Context(), s.ID, false)
	must(t, err)
	return w, e, lease
}

// takesDefault is the owner who finds the time over.
func takesDefault(t *testing.T, lease *store.LoopLease) error {
	t.Helper()
	overdue := loop.Woke{Stamp: loop.Stamp{At: time.Now().Add(2 * time.Hour)}, Question: "q1"}
	next, err := loop.Apply(lease.State(), overdue)
	must(t, err)
	return lease.Commit(t.Context(), next, []loop.Event{overdue})
}

// TestAnswerInTimeWins: an answer that was sent before the time was over counts,
// also where whoever runs the loop comes to look only after it.
func TestAnswerInTimeWins(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	w, e, lease := askedElsewhere(t, &clock)
	id := lease.ID()
	answer := engine.Command{Kind: engine.Answer, Text: "right", By: "ada", Question: "q1"}
	_, err := e.Send(t.Context(), id, answer)
	must(t, err)
	if _, err = e.Send(t.Context(), id, answer); !refused(err) {
		t.Errorf("a second answer was taken: %v", err)
	}
	if err := takesDefault(t, lease); !errors.Is(err, store.ErrAnswered) {
		t.Fatalf("the default was taken over an answer: %v", err)
	}
	must(t, lease.Release(t.Context()))
	clock.Store(int64(2 * time.Hour))
	s, err := e.Resume(t.Context(), id, engine.Options{}, engine.Drive{})
	must(t, err)
	if q := s.Questions[0]; s.Status != loop.StatusPassed || q.Answer != "right" || q.By != "ada" {
		t.Errorf("%s: %+v", s.Status, q)
	}
	w.sound(t, s.ID)
}

// TestAnswerTooLateIsRefused: the owner has taken the default, and whoever answers
// then is told so, although the owner goes on and could be left a message.
func TestAnswerTooLateIsRefused(t *testing.T) {
	t.Parallel()
	_, e, lease := askedElsewhere(t, new(atomic.Int64))
	must(t, takesDefault(t, lease))
	if _, err := e.Send(t.Context(), lease.ID(), engine.Command{Kind: engine.Answer, Text: "right", By: "ada", Question: "q1"}); !refused(err) {
		t.Errorf("who answers too late is told %v", err)
	}
	must(t, lease.Release(t.Context()))
}

func refused(err error) bool {
	_, is := errors.AsType[*journal.RefusedError](err)
	return is
}

// TestTimeIsOverForALoopThatRests: whoever looks after a loop says that the time for
// its answer is over; said twice, or after an answer, it changes nothing.
func TestTimeIsOverForALoopThatRests(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	_, o, e := timedLoop(t, asksWithin("1h"), &clock)
	s, err := e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{Rests: true})
	must(t, err)
	over := engine.Command{Kind: engine.Wake, By: loop.ByPolicy, Question: "q1"}
	s, err = e.Send(t.Context(), s.ID, over)
	must(t, err)
	if s.Status != loop.Paused || !s.Questions[0].AnsweredByPolicy() {
		t.Fatalf("%s %+v", s.Status, s.Questions)
	}
	for _, late := range []engine.Command{over, {Kind: engine.Answer, Text: "right", By: "ada"}} {
		_, err := e.Send(t.Context(), s.ID, late)
		if _, refused := errors.AsType[*journal.RefusedError](err); !refused {
			t.Errorf("%s after the default: %v", late.Kind, err)
		}
	}
	s, err = e.Resume(t.Context(), s.ID, engine.Options{}, engine.Drive{})
	must(t, err)
	defaulted(t, s)
}

// TestDeadlineOfAnAgentAtWork: a question that was put on the way is answered while
// its agent works on, if that waits for it.
func TestDeadlineOfAnAgentAtWork(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	_, o, e := timedLoop(t, scene{max: 2, script: `attempts: [[{sh: "until test -f go-on; do sleep 0.05; done; rm go-on; echo 3 >answer.txt"}]]`}, &clock)
	ctx, cancel := context.WithTimeout(t.Context(), tier.Hang)
	defer cancel()
	s, err := e.Start(ctx, o.Spec, engine.Options{}, engine.Drive{Watch: func(u engine.Update) {
		switch u.Event.(type) {
		case loop.AttemptBegan:
			data, _ := json.Marshal(loop.Question{Text: "Which way?", Default: "left", Within: 100 * time.Millisecond})
			if _, err := e.Send(ctx, u.After.ID, engine.Command{Kind: engine.Ask, Text: string(data)}); err != nil {
				t.Error(err)
			}
		case loop.Asked:
			if _, err := e.Send(ctx, u.After.ID, engine.Command{Kind: engine.Wake, Question: "q1"}); err != nil {
				t.Error(err)
			}
		case loop.Woke:
			if !u.After.Began {
				t.Errorf("the agent is not at work: %s", u.After.Step)
			}
			must(t, os.WriteFile(filepath.Join(u.After.Worktree, "go-on"), nil, 0o600))
		}
	}})
	must(t, err)
	defaulted(t, s)
}

// TestDeadlineOfADrivenLoop: whoever looks records it, as any end that is due.
func TestDeadlineOfADrivenLoop(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	_, o, e := timedLoop(t, scene{max: 2, change: func(s *loop.Spec) { s.Mode, s.Limits = loop.AgentDriven, loop.AgentDrivenLimits() }}, &clock)
	_, err := e.Init(t.Context(), o.Spec, engine.Options{})
	must(t, err)
	data, err := json.Marshal(loop.Question{Text: "Which way?", Default: "left", Within: time.Hour})
	must(t, err)
	_, err = e.Send(t.Context(), o.Spec.ID, engine.Command{Kind: engine.Ask, Text: string(data)})
	must(t, err)
	look := func() engine.Loop {
		t.Helper()
		l, err := e.Show(t.Context(), o.Spec.ID)
		must(t, err)
		return l
	}
	clock.Store(int64(time.Hour - time.Minute))
	must(t, e.RecordDue(t.Context()))
	if l := look(); l.State.Status != loop.Waiting || l.State.Open() == nil {
		t.Fatalf("before its time: %s", l.State.Status)
	}
	clock.Store(int64(time.Hour + time.Minute))
	if l := look(); !l.Due || l.State.Open() != nil {
		t.Errorf("it is due, and not shown so: %+v", l.State.Questions)
	}
	must(t, e.RecordDue(t.Context()))
	must(t, e.RecordDue(t.Context()))
	l := look()
	if l.Due || l.State.Status != loop.Running || !l.State.Questions[0].AnsweredByPolicy() || l.State.Active > time.Minute {
		t.Errorf("%s, active %s, %+v", l.State.Status, l.State.Active, l.State.Questions)
	}
	events, err := e.Events(t.Context(), o.Spec.ID, 0)
	must(t, err)
	if n := len(slices.DeleteFunc(events, func(r engine.Event) bool { return !strings.HasPrefix(r.Name, "woke") })); n != 1 {
		t.Errorf("taken %d times", n)
	}
}
