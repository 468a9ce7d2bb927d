package move_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

func abandon(ctx context.Context) func(*move.Mover) (move.Moved, error) {
	return func(m *move.Mover) (move.Moved, error) {
		m.Server, m.Travel = nil, nil
		return m.Abandon(ctx, "a")
	}
}

func abandonPlan(ctx context.Context) func(*move.Mover) (move.MovedPlan, error) {
	return func(m *move.Mover) (move.MovedPlan, error) {
		m.Server, m.Travel, m.Plans.Server, m.Plans.Travel = nil, nil, nil, nil
		m.Plans.Local = filesHere{m.Plans.Local}
		return m.AbandonPlan(ctx, "p")
	}
}

// filesHere are plans whose files no server has: none is brought.
type filesHere struct{ move.LocalPlans }

func (f filesHere) Arrive(ctx context.Context, s plan.State, files map[string][]byte) error {
	if files != nil {
		return errors.New("no server was asked for files")
	}
	return f.LocalPlans.Arrive(ctx, s, nil)
}

// TestAbandoned: a loop whose server is lost continues here as it stood before the move, also
// where the command is killed at every call. The server's record is never merged with this one
// once it answers again.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"paused", "passed", "aborted"} {
		for at := 1; ; at++ {
			w := newWorld(t)
			one := w.clone("one")
			was := one.begin(how)
			one.moves(out(t.Context()))
			w.ok(one.Archive(t.Context(), "a"))
			w.calls, w.at, w.trouble = 0, at, killAfter
			_, err := one.do(abandon(t.Context()))
			reached := w.calls >= at
			one.settle(abandon(t.Context()))
			s, _, _ := one.here()
			if diff := same(was, s); diff != "" {
				t.Fatalf("call %d, %s: %s", at, how, diff)
			}
			if done := one.moves(abandon(t.Context())); !done.Already {
				t.Error("it was abandoned twice")
			}
			one.steerOrAccept()
			here, there := one.journal(), w.journalThere()
			for _, do := range []func(*move.Mover) (move.Moved, error){back(t.Context()), out(t.Context())} {
				if _, err := one.do(do); !errors.Is(err, engine.ErrExists) {
					t.Errorf("the server answers again: %v", err)
				}
			}
			if !slices.Equal(here, one.journal()) || !slices.Equal(there, w.journalThere()) {
				t.Error("the records were changed")
			}
			if !reached {
				w.ok(err)
				break
			}
		}
	}
}

// steerOrAccept records something that happens here after a move.
func (c *clone) steerOrAccept() {
	if s, _, _ := c.here(); s.Status.Terminal() {
		c.commit(loop.Retried{Stamp: c.stamp(), By: "b"})
		return
	}
	c.steer("go on")
}

// TestAbandonedMidway: the server is lost while a loop moves there, at every call. It continues
// here, and moves again once a server answers to which it had not arrived.
func TestAbandonedMidway(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		w, one, was, reached := cutOff(t, at)
		if !reached {
			return
		}
		one.settle(abandon(t.Context()))
		if s, _, _ := one.here(); same(was, s) != "" {
			t.Fatalf("call %d: %s", at, same(was, s))
		}
		one.steer("go on")
		arrived := slices.Contains(w.living(), "server")
		_, err := one.do(out(t.Context()))
		if errors.Is(err, engine.ErrRunning) {
			one.settle(out(t.Context()))
			err = nil
		}
		if arrived != errors.Is(err, engine.ErrExists) || !arrived && err != nil {
			t.Fatalf("call %d: arrived %v, moved again: %v", at, arrived, err)
		}
	}
}

// TestPlanAbandoned is TestAbandoned and TestAbandonedMidway for a plan with its loops.
func TestPlanAbandoned(t *testing.T) {
	t.Parallel()
	for how, step := range cutSteps() {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			for at := 1; ; at += step {
				w, one, was, reached := cutOffPlan(t, how, at)
				w.calls, w.at = 0, 1+at/2 // kills the command that abandons the server, too
				_, _ = w.doPlan(one, abandonPlan(t.Context()))
				w.settle(one, abandonPlan(t.Context()))
				for id, s := range w.states(one) {
					if diff := samePlan(was[id], s); diff != "" {
						t.Fatalf("call %d: %s", at, diff)
					}
				}
				arrived := len(w.living()) > 0
				all := w.living(one)
				for _, run := range w.whole("one") {
					if !slices.Contains(all, run) {
						t.Fatalf("call %d: it lives in %v", at, all)
					}
				}
				if done, err := w.doPlan(one, abandonPlan(t.Context())); err != nil || !done.Already {
					t.Errorf("abandoned twice: %+v, %v", done.Already, err)
				}
				w.freed()
				_, err := w.doPlan(one, outPlan(t.Context()))
				if arrived != errors.Is(err, engine.ErrExists) || !arrived && err != nil {
					t.Fatalf("call %d: arrived %v, moved again: %v", at, arrived, err)
				}
				if !reached {
					return
				}
			}
		})
	}
}

// TestNotAbandoned: a run of which only a part is here stays as it is, and so does a loop without
// its plan.
func TestNotAbandoned(t *testing.T) {
	t.Parallel()
	w := newPlanWorld(t)
	one := w.clone("one")
	if _, err := one.do(abandon(t.Context())); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a loop that is nowhere: %v", err)
	}
	if _, err := w.doPlan(one, abandonPlan(t.Context())); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a plan that is nowhere: %v", err)
	}
	w.beginPlan(one, "paused")
	_, err := w.doPlan(one, outPlan(t.Context()))
	w.ok(err)
	_, err = one.do(func(m *move.Mover) (move.Moved, error) { return m.Abandon(t.Context(), "p-b") })
	if _, is := errors.AsType[*engine.ImmovableError](err); !is {
		t.Errorf("a loop without its plan: %v", err)
	}
	for at := 1; ; at++ {
		w := newWorld(t)
		one := w.clone("one")
		one.begin("paused")
		one.moves(out(t.Context()))
		w.calls, w.at, w.trouble = 0, at, killAfter
		if _, err := one.do(back(t.Context())); err == nil {
			t.Fatal("the record that returns was never incomplete")
		}
		if s, _, _ := one.here(); s.Partial != nil {
			_, err := one.do(abandon(t.Context()))
			if moved, is := errors.AsType[*engine.MovedError](err); !is || !moved.Here {
				t.Errorf("an incomplete record: %v", err)
			}
			return
		}
	}
}
