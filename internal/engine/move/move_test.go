package move_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/testing/enginetest"
	"ralph/internal/testing/tier"
)

func out(ctx context.Context) func(*move.Mover) (move.Moved, error) {
	return func(m *move.Mover) (move.Moved, error) { return m.Out(ctx, "a") }
}

func back(ctx context.Context) func(*move.Mover) (move.Moved, error) {
	return func(m *move.Mover) (move.Moved, error) { return m.Back(ctx, "a") }
}

// same compares states apart from what a move changes.
func same(was, is loop.State) string {
	for _, s := range []*loop.State{&was, &is} {
		s.Root, s.Origin = "", nil
		s.LastAt, s.LastUp = noon, loop.State{}.LastUp
	}
	return cmp.Diff(was, is, cmpopts.EquateEmpty())
}

// TestThereAndBack: a loop has the same journal and the same state in the store where it
// arrives, on another machine as well, and may go there again.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"paused", "passed", "aborted", "crashed"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			one, two := w.clone("one"), w.clone("two")
			was := one.begin(how)
			if how == "crashed" {
				w.ok(local{one}.Rest(t.Context(), "a"))
				was, _, _ = one.here()
			}
			for _, c := range []*clone{one, two, one} {
				if s, _, _ := c.here(); engine.MovedOf(s) != nil || s.ID == "" {
					done := c.moves(back(t.Context()))
					if done.Already {
						t.Error("it was here already")
					}
				}
				s, _, _ := c.here()
				if diff := same(was, s); diff != "" {
					t.Errorf("in clone %s (-was +is)\n%s", c.home.Machine, diff)
				}
				done := c.moves(out(t.Context()))
				there, _, _ := w.onServer()
				if diff := same(was, there); diff != "" || done.State.Status != was.Status || done.Already {
					t.Errorf("on the server (-was +is)\n%s", diff)
				}
				here, all := c.journal(), w.journalThere()
				if diff := cmp.Diff(all[:len(here)], here); diff != "" || len(all) != len(here)+1 {
					t.Errorf("the journals differ (-there +here, which lacks the arrival)\n%s", diff)
				}
				if now := w.living(one, two); !slices.Equal(now, []string{"server"}) {
					t.Errorf("it lives in %v", now)
				}
			}
			done, err := one.do(out(t.Context()))
			if err != nil || !done.Already {
				t.Errorf("moved again: %+v, %v", done.Already, err)
			}
			if w.left < 3 || w.offered < 3 || w.published < 3 || w.fetched < 2 || w.arrived < 2 {
				t.Errorf("offered %d, published %d, fetched %d, arrived %d, left %d", w.offered, w.published, w.fetched, w.arrived, w.left)
			}
		})
	}
}

// TestBudgetMoves: what a loop may spend moves with it, and what it used counts against that on
// the machine to which it moves.
func TestBudgetMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, two := w.clone("one"), w.clone("two")
	one.begin("paused")
	raised, err := stored.LoopsOf(one.Store).Acquire(t.Context(), "a", nil, false)
	w.ok(err)
	w.ok(enginetest.Play(t, raised, loop.BudgetSet{Stamp: loop.Stamp{At: noon}, Limit: loop.Amounts{Attempts: 12}}))
	w.ok(raised.Release(t.Context()))
	one.moves(out(t.Context()))
	for _, c := range []*clone{two, one} {
		if c == one {
			two.moves(out(t.Context()))
		}
		c.moves(back(t.Context()))
		l, err := stored.LoopsOf(c.Store).Acquire(t.Context(), "a", nil, false)
		w.ok(err)
		spent, err := l.Balances(t.Context(), "")
		if err != nil || len(spent) != 1 || spent[0].Used.Attempts != 2 || spent[0].Limit.Attempts != 12 {
			t.Errorf("clone %s: %+v, %v", c.home.Machine, spent, err)
		}
		w.ok(l.Release(t.Context()))
	}
}

// TestArchivedMeanwhile: the record that a loop left behind may be archived; it comes back
// all the same.
func TestArchivedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := w.clone("one")
	was := one.begin("passed")
	one.moves(out(t.Context()))
	w.ok(one.Archive(t.Context(), "a"))
	if done, err := one.do(out(t.Context())); err != nil || !done.Already {
		t.Errorf("moved again: %+v, %v", done.Already, err)
	}
	one.moves(back(t.Context()))
	r, err := stored.LoopsOf(one.Store).Read(t.Context(), "a")
	if diff := same(was, r.State); err != nil || diff != "" || r.Archived {
		t.Errorf("archived %v, %v\n%s", r.Archived, err, diff)
	}
}

// settle repeats a move until it succeeds, as its user does.
func (c *clone) settle(again func(*move.Mover) (move.Moved, error)) {
	c.w.Helper()
	c.w.trouble = none
	_, err := c.do(again)
	if errors.Is(err, engine.ErrRunning) { // the heartbeats of the process that was killed are missed by now
		l, err := c.w.there.Acquire(c.w.Context(), "a", nil, true)
		c.w.ok(err)
		c.w.ok(l.Release(c.w.Context()))
		c.moves(again)
		return
	}
	if err != nil {
		c.w.Fatalf("call %d (%d): the command typed again: %v", c.w.at, c.w.trouble, err)
	}
}

// TestTroubleAtEveryCall: a move is killed, or a call fails, at every call, before and after
// it had its effect. The loop never lives in two stores, and the same command completes.
func TestTroubleAtEveryCall(t *testing.T) {
	t.Parallel()
	type course struct {
		name string
		// before brings the loop where the move begins; to is where it ends. Second: the
		// other clone moves it.
		before func(*clone, *clone)
		move   func(context.Context) func(*move.Mover) (move.Moved, error)
		to     string
		second bool
	}
	courses := []course{
		{"out", func(*clone, *clone) {}, out, "server", false},
		{"back", func(one, _ *clone) { one.moves(out(one.w.Context())) }, back, "one", false},
		{"out again", func(one, two *clone) {
			one.moves(out(one.w.Context()))
			two.moves(back(one.w.Context()))
			two.moves(out(one.w.Context()))
			one.moves(back(one.w.Context()))
		}, out, "server", false},
		{"back to another clone", func(one, _ *clone) { one.moves(out(one.w.Context())) }, back, "two", true},
	}
	for _, c := range courses {
		hows, troubles := []string{"paused"}, []trouble{killAfter, failAfter}
		if tier.Long() {
			hows, troubles = append(hows, "passed", "aborted"), append(troubles, killBefore, failBefore)
		}
		for _, how := range hows {
			for _, trouble := range troubles {
				t.Run(c.name+", "+how, func(t *testing.T) {
					t.Parallel()
					for at := 1; ; at++ {
						w := newWorld(t)
						one, two := w.clone("one"), w.clone("two")
						one.attempts = 1
						one.begin(how)
						c.before(one, two)
						w.calls, w.at, w.trouble = 0, at, trouble
						mover := one
						if c.second {
							mover = two
						}
						_, err := mover.do(c.move(t.Context()))
						reached := w.calls >= at
						if now := w.living(one, two); len(now) > 1 {
							t.Fatalf("call %d (%d): it lives in %v", at, trouble, now)
						}
						mover.settle(c.move(t.Context()))
						if now := w.living(one, two); !slices.Equal(now, []string{c.to}) {
							t.Fatalf("call %d (%d): in the end it lives in %v", at, trouble, now)
						}
						if here, there := mover.journal(), w.journalThere(); !slices.Equal(here[:min(len(here), len(there))], there[:min(len(here), len(there))]) {
							t.Fatalf("call %d (%d): the journals differ\n%s", at, trouble, cmp.Diff(there, here))
						}
						if !reached {
							if err != nil {
								t.Fatalf("without trouble: %v", err)
							}
							return
						}
					}
				})
			}
		}
	}
}

// TestTakenBack: a move away that was cut off is given up at every call, or found complete
// and turned round; the loop is here in the end.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		w, one, was, reached := cutOff(t, at)
		if !reached {
			return
		}
		one.settle(back(t.Context()))
		s, _, _ := one.here()
		if now := w.living(one); !slices.Equal(now, []string{"one"}) {
			t.Fatalf("call %d: it lives in %v", at, now)
		}
		if diff := same(was, s); diff != "" {
			t.Fatalf("call %d: %s", at, diff)
		}
		one.settle(out(t.Context()))
		if now := w.living(one); !slices.Equal(now, []string{"server"}) {
			t.Fatalf("call %d: then it lives in %v", at, now)
		}
	}
}

// TestRefused: what cannot be moved is left as it is.
func TestRefused(t *testing.T) {
	t.Parallel()
	untouched := func(t *testing.T, c *clone, events int, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		if n := len(c.journal()); n != events {
			t.Errorf("%d events were recorded", n-events)
		}
	}
	t.Run("another run has the id on the server", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		one, two := w.clone("one"), w.clone("two")
		two.begin("paused")
		two.moves(out(t.Context()))
		l, err := stored.LoopsOf(one.Store).Create(t.Context(), loop.New(loop.Spec{ID: "a", Base: "other", Branch: "ralph/a"}, noon), nil)
		w.ok(err)
		w.ok(l.Release(t.Context()))
		one.commit(loop.PauseAsked{Stamp: one.stamp()})
		_, err = one.do(out(t.Context()))
		untouched(t, one, 1, err, engine.ErrExists)
		_, err = one.do(back(t.Context()))
		untouched(t, one, 1, err, engine.ErrExists)
	})
	t.Run("a process drives it", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		one := w.clone("one")
		one.begin("paused")
		n := len(one.journal())
		l, err := one.Acquire(t.Context(), "a", false)
		w.ok(err)
		_, err = one.do(out(t.Context()))
		untouched(t, one, n, err, engine.ErrRunning)
		w.ok(l.Release(t.Context()))
		one.moves(out(t.Context()))
		n = len(one.journal())
		held, err := w.there.Acquire(t.Context(), "a", nil, false)
		w.ok(err)
		_, err = one.do(back(t.Context()))
		untouched(t, one, n, err, engine.ErrRunning)
		w.ok(held.Release(t.Context()))
	})
	t.Run("content that no commit keeps", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		one := w.clone("one")
		one.begin("paused")
		w.nested = true
		n := len(one.journal())
		_, err := one.do(out(t.Context()))
		untouched(t, one, n, err, engine.ErrNested)
	})
	t.Run("more than a server takes", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		one := w.clone("one")
		one.begin("paused")
		for range 4 {
			one.steer(strings.Repeat("x", 60<<10))
		}
		one.moves(out(t.Context()))
		one.moves(back(t.Context()))
		one.steer(strings.Repeat("x", 300<<10))
		n := len(one.journal())
		_, err := one.do(out(t.Context()))
		if _, stays := errors.AsType[*engine.ImmovableError](err); !stays {
			t.Error(err)
		}
		untouched(t, one, n, nil, nil)
	})
	t.Run("it is nowhere", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		one := w.clone("one")
		for _, do := range []func(*move.Mover) (move.Moved, error){out(t.Context()), back(t.Context())} {
			if _, err := one.do(do); !errors.Is(err, engine.ErrNotFound) {
				t.Error(err)
			}
		}
	})
	t.Run("it is being moved elsewhere", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		one, two := w.clone("one"), w.clone("two")
		one.begin("paused")
		one.moves(out(t.Context()))
		w.calls, w.at, w.trouble = 0, 12, killAfter // in the middle of the move to the first clone
		_, _ = one.do(back(t.Context()))
		w.trouble = none
		if s, _, _ := w.onServer(); s.Move == nil {
			t.Fatal("the move had not begun")
		}
		_, err := two.do(back(t.Context()))
		if moved, is := errors.AsType[*engine.MovedError](err); !is || !moved.Moving || !moved.To.Same(one.home) {
			t.Error(err)
		}
		other := one.mover()
		other.There = loop.Home{Engine: "temporal://other:7233/shop"}
		if _, err := other.Out(t.Context(), "a"); err == nil {
			t.Error("it was moved to another server")
		}
	})
}
