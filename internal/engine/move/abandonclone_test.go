package move_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/move"
)

func abandonClone(ctx context.Context) func(*move.Mover) (move.Moved, error) {
	return func(m *move.Mover) (move.Moved, error) { return m.AbandonClone(ctx, "a") }
}

func abandonClonePlan(ctx context.Context) func(*move.Mover) (move.MovedPlan, error) {
	return func(m *move.Mover) (move.MovedPlan, error) { return m.AbandonClonePlan(ctx, "p") }
}

// TestCloneAbandoned: a clone is lost while a loop moves to it, at every call. Another clone
// continues the loop on the server, as it stood before the move, also where that command is killed
// at every call. Should the lost clone come back, it takes the loop only where it had not arrived.
func TestCloneAbandoned(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"paused", "passed", "aborted"} {
		for at := 1; ; at++ {
			w := newWorld(t)
			one, lost, other := w.clone("one"), w.clone("lost"), w.clone("other")
			one.attempts = 1
			was := one.begin(how)
			one.moves(out(t.Context()))
			w.calls, w.at, w.trouble = 0, at, killAfter
			_, err := lost.do(back(t.Context()))
			reached := w.calls >= at
			w.calls, w.at, w.trouble = 0, 1+at%12, killAfter
			_, _ = other.do(abandonClone(t.Context()))
			other.settle(abandonClone(t.Context()))
			s, _, _ := w.onServer()
			if diff := same(was, s); diff != "" {
				t.Fatalf("call %d, %s: %s", at, how, diff)
			}
			if done := other.moves(abandonClone(t.Context())); !done.Already {
				t.Error("it was abandoned twice")
			}
			arrived := slices.Contains(w.living(lost), "lost")
			for _, do := range []func(*move.Mover) (move.Moved, error){out(t.Context()), back(t.Context())} {
				if _, err := lost.do(do); arrived != errors.Is(err, engine.ErrExists) {
					t.Errorf("call %d: the lost clone comes back, arrived %v: %v", at, arrived, err)
				}
			}
			if now := w.living(one, lost, other); !arrived && len(now) != 1 {
				t.Fatalf("call %d: it lives in %v", at, now)
			}
			if !reached {
				w.ok(err)
				break
			}
		}
	}
}

// TestSlowClone: a loop is continued on the server while a process of the clone that is given up
// only stands still, at every line of its move; its lease is over. It continues, and does not
// arrive in the clone. While its lease holds, nothing is given up.
func TestSlowClone(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		w := newWorld(t)
		one, slow, other := w.clone("one"), w.clone("slow"), w.clone("other")
		one.begin("paused")
		one.moves(out(t.Context()))
		n, stood := 0, ""
		var given move.Moved
		_, err := slow.do(func(m *move.Mover) (move.Moved, error) {
			m.Fault = func(point string) {
				if n++; n != at {
					return
				}
				stood = point
				if s, _, _ := w.onServer(); s.Move != nil && !s.Away() {
					if _, err := other.do(abandonClone(t.Context())); !errors.Is(err, engine.ErrRunning) {
						t.Errorf("%s: given up under a lease: %v", point, err)
					}
				}
				other.settle(abandonClone(t.Context()))
				given = other.moves(abandonClone(t.Context()))
			}
			return m.Back(t.Context(), "a")
		})
		if stood == "" {
			w.ok(err)
			return
		}
		want := []string{"server"}
		switch {
		case stood == "fetched": // nothing was recorded yet, and the move goes on
			want = []string{"slow"}
		case stood == "arrived" || stood == "confirmed": // it was too late: both continue apart
			want = append(want, "slow")
		case err == nil:
			t.Errorf("%s: the slow process was not told", stood)
		}
		if now := w.living(one, slow, other); !slices.Equal(now, want) || !given.Already {
			t.Errorf("%s: it lives in %v, want %v (%v)", stood, now, want, err)
		}
	}
}

// TestCloneOfAPlanAbandoned is TestCloneAbandoned for a plan with its parts.
func TestCloneOfAPlanAbandoned(t *testing.T) {
	t.Parallel()
	for how, step := range cutSteps() {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			for at := 1; ; at += step {
				w, one := planOfOne(t, how)
				lost, other := w.clone("lost"), w.clone("other")
				was := w.states(one)
				_, err := w.doPlan(one, outPlan(t.Context()))
				w.ok(err)
				w.calls, w.at, w.trouble = 0, at, killAfter
				_, _ = w.doPlan(lost, backPlan(t.Context()))
				reached := w.calls >= at
				w.freed()
				w.calls, w.at = 0, 1+at/2
				_, _ = w.doPlan(other, abandonClonePlan(t.Context()))
				w.settle(other, abandonClonePlan(t.Context()))
				if all := w.living(one, other); !slices.Equal(all, w.whole("server")) {
					t.Fatalf("call %d: it lives in %v", at, all)
				}
				for _, id := range w.ids {
					s, _ := w.planThere(id)
					if diff := samePlan(was[id], s); diff != "" {
						t.Fatalf("call %d: %s", at, diff)
					}
				}
				if done, err := w.doPlan(other, abandonClonePlan(t.Context())); err != nil || !done.Already {
					t.Errorf("abandoned twice: %+v, %v", done.Already, err)
				}
				arrived := len(w.living(lost)) > len(w.living())
				w.freed()
				_, err = w.doPlan(lost, backPlan(t.Context()))
				if arrived != errors.Is(err, engine.ErrExists) || !arrived && err != nil {
					t.Fatalf("call %d: the lost clone comes back, arrived %v: %v", at, arrived, err)
				}
				if !reached {
					return
				}
			}
		})
	}
}

// TestCloneNotAbandoned: a run whose move can be completed where the command is typed, and one of
// which the server has only a part, stay as they are.
func TestCloneNotAbandoned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, other := w.clone("one"), w.clone("other")
	if _, err := other.do(abandonClone(t.Context())); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a loop that is nowhere: %v", err)
	}
	one.begin("paused")
	one.moves(out(t.Context()))
	one.moves(back(t.Context()))
	_, err := one.do(abandonClone(t.Context()))
	if moved, is := errors.AsType[*engine.MovedError](err); !is || !moved.To.Same(one.home) {
		t.Errorf("in the clone that has it: %v", err)
	}
	for at := 1; ; at++ {
		w, _, _, reached := cutOff(t, at)
		if !reached {
			t.Fatal("the record that leaves was never incomplete on the server")
		}
		if s, _, is := w.onServer(); !is || s.Partial == nil {
			continue
		}
		_, err := w.clone("other").do(abandonClone(t.Context()))
		if moved, is := errors.AsType[*engine.MovedError](err); !is || !moved.Moving {
			t.Errorf("an incomplete record: %v", err)
		}
		return
	}
}
