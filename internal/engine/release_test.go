package engine_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/testing/enginetest"
)

// TestRelease: a command to a run that its owner releases is executed once, by one of the
// two processes, in whatever order they do the single steps; no process holds the run then.
func TestRelease(t *testing.T) {
	t.Parallel()
	gate := loop.Gate{Name: "tests", Kind: loop.KindCommand, Level: loop.Hard, Run: "true"}
	aLoop := loop.New(loop.Spec{ID: "run", Task: loop.Task{Text: "do it"}, Gates: []loop.Gate{gate}}, time.Unix(1, 0))
	t.Run("loop", func(t *testing.T) {
		t.Parallel()
		released(t, aLoop, func() engine.Store[loop.State, loop.Event, engine.LoopLease] { return enginetest.NewLoops() })
	})
	t.Run("plan", func(t *testing.T) {
		t.Parallel()
		released(t, plan.Begin("run", "/run.md", "", "b", "c", plan.Rules{}), func() engine.Store[plan.State, plan.Event, engine.PlanLease] { return enginetest.NewPlans() })
	})
}

func released[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, first S, open func() engine.Store[S, E, L]) {
	orders, byOwner, bySender := 0, 0, 0
	for order := (order{}); !order.done; orders++ {
		s := open()
		held, err := s.Create(t.Context(), first, nil)
		if err != nil {
			t.Fatal(err)
		}
		var did [2]int
		order.play(
			func(turn func()) {
				p := process[S, E, L]{turned[S, E, L]{s, turn}, &did[0]}
				lease := turnedLease[S, E]{held, turn}
				if err := errors.Join(p.executeInbox(t.Context(), lease), p.release(t.Context(), lease)); err != nil {
					t.Error(err)
				}
			},
			func(turn func()) {
				p := process[S, E, L]{turned[S, E, L]{s, turn}, &did[1]}
				if err := p.send(t.Context()); err != nil {
					t.Error(err)
				}
			},
		)
		byOwner, bySender = byOwner+did[0], bySender+did[1]
		r, err := s.Read(t.Context(), "run")
		waits, unread := s.Unread(t.Context(), "run")
		if did[0]+did[1] != 1 || r.Live || waits || errors.Join(err, unread) != nil {
			t.Fatalf("order %v: executed %d times by the owner and %d by the sender, live %v, unread %v, %v", order.played, did[0], did[1], r.Live, waits, errors.Join(err, unread))
		}
	}
	if byOwner == 0 || bySender == 0 || orders < 20 {
		t.Errorf("%d orders: the owner executed it in %d, the sender in %d", orders, byOwner, bySender)
	}
}

// process is one of those that use a run.
type process[S any, E journal.Event, L engine.Lease[S, E]] struct {
	turned[S, E, L]
	did *int
}

func (p process[S, E, L]) release(ctx context.Context, l engine.Lease[S, E]) error {
	return engine.Release(ctx, p.turned, l, p.executeInbox)
}

func (p process[S, E, L]) executeInbox(ctx context.Context, l engine.Lease[S, E]) error {
	p.turn()
	box, err := l.Inbox(ctx)
	for _, m := range box {
		*p.did++
		err = errors.Join(err, l.Commit(ctx, l.State(), nil, m.ID))
	}
	return err
}

// send leaves a command to the owner of a run, or executes it where there is none.
func (p process[S, E, L]) send(ctx context.Context) error {
	l, err := p.Acquire(ctx, "run", nil, false)
	if err == nil {
		*p.did++
		return p.release(ctx, l)
	}
	if !errors.Is(err, engine.ErrRunning) {
		return err
	}
	if err := p.Send(ctx, "run", journal.Message{Kind: "pause"}); err != nil {
		return err
	}
	return engine.ExecuteLeft(ctx, p.turned, "run", p.executeInbox)
}

// turned is a store that waits for the turn of its process before each step.
type turned[S any, E journal.Event, L engine.Lease[S, E]] struct {
	engine.Store[S, E, L]
	turn func()
}

func (s turned[S, E, L]) Create(ctx context.Context, first S, spec []byte) (engine.Lease[S, E], error) {
	return s.Store.Create(ctx, first, spec)
}

func (s turned[S, E, L]) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (engine.Lease[S, E], error) {
	s.turn()
	l, err := s.Store.Acquire(ctx, id, spec, takeOver)
	return turnedLease[S, E]{l, s.turn}, err
}

func (s turned[S, E, L]) Send(ctx context.Context, id string, m journal.Message) error {
	s.turn()
	return s.Store.Send(ctx, id, m)
}

func (s turned[S, E, L]) Unread(ctx context.Context, id string) (bool, error) {
	s.turn()
	return s.Store.Unread(ctx, id)
}

type turnedLease[S any, E journal.Event] struct {
	engine.Lease[S, E]
	turn func()
}

func (l turnedLease[S, E]) Release(ctx context.Context) error {
	l.turn()
	return l.Lease.Release(ctx)
}

// order lets two processes take turns, differently each time they are played, until every
// order was played.
type order struct {
	played, next []int // whose turn it is, where both could have it
	done         bool
}

func (o *order) play(processes ...func(turn func())) {
	at, on := make([]chan bool, len(processes)), make([]chan bool, len(processes))
	for i, process := range processes {
		at[i], on[i] = make(chan bool), make(chan bool)
		go func() {
			process(func() { at[i] <- true; <-on[i] })
			at[i] <- false
		}()
	}
	o.played = nil
	for waits := [2]bool{<-at[0], <-at[1]}; waits[0] || waits[1]; {
		now := 0
		switch n := len(o.played); {
		case waits[0] && waits[1]:
			if n < len(o.next) {
				now = o.next[n]
			}
			o.played = append(o.played, now)
		case waits[1]:
			now = 1
		}
		on[now] <- true
		waits[now] = <-at[now]
	}
	last := len(o.played) - 1
	for last >= 0 && o.played[last] == 1 {
		last--
	}
	if o.done = last < 0; !o.done {
		o.next = append(slices.Clone(o.played[:last]), 1)
	}
}

// TestReleaseFails: what execute fails on stays in the inbox, and the run is released.
func TestReleaseFails(t *testing.T) {
	t.Parallel()
	s := enginetest.NewPlans()
	l, err := s.Create(t.Context(), plan.Begin("run", "/run.md", "", "b", "c", plan.Rules{}), nil)
	if err == nil {
		err = s.Send(t.Context(), "run", journal.Message{Kind: "pause"})
	}
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is full")
	if err := engine.Release(t.Context(), s, l, func(context.Context, engine.PlanLease) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("released: %v", err)
	}
	r, err := s.Read(t.Context(), "run")
	waits, unread := s.Unread(t.Context(), "run")
	if r.Live || !waits || errors.Join(err, unread) != nil {
		t.Errorf("live %v, unread %v, %v", r.Live, waits, errors.Join(err, unread))
	}
}
