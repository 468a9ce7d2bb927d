package move

import (
	"context"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// machine is what a move needs of the machine of a kind of run.
type machine[S any, E journal.Event] struct {
	apply      func(S, E) (S, error)
	encode     func(E) (name string, data []byte, err error)
	transit    func(*S) loop.Transit
	incomplete func(s S, from, to loop.Home) S
	id         func(S) string
	tip        func(S) string
	// began, movedAway and arrived are the events of a move; withPlan: the plan of a part moves
	// as well; lost is the server that was abandoned.
	began     func(at loop.Stamp, from, to loop.Home, withPlan bool) E
	movedAway func(loop.Stamp) E
	arrived   func(at loop.Stamp, lost string) E
}

var (
	loopMachine = machine[loop.State, loop.Event]{
		loop.Apply, loop.Encode, (*loop.State).Transit, loop.State.Incomplete,
		func(s loop.State) string { return s.ID }, func(s loop.State) string { return s.Tip() },
		func(at loop.Stamp, from, to loop.Home, withPlan bool) loop.Event {
			return loop.MoveBegan{Stamp: at, From: from, To: to, WithPlan: withPlan}
		},
		func(at loop.Stamp) loop.Event { return loop.MovedAway{Stamp: at} },
		func(at loop.Stamp, lost string) loop.Event { return loop.Arrived{Stamp: at, Abandoned: lost} },
	}
	planMachine = machine[plan.State, plan.Event]{
		plan.Apply, plan.Encode, (*plan.State).Transit, plan.State.Incomplete,
		func(s plan.State) string { return s.ID }, func(s plan.State) string { return s.Tip },
		func(at loop.Stamp, from, to loop.Home, withPlan bool) plan.Event {
			return plan.MoveBegan{Stamp: at, From: from, To: to, WithPlan: withPlan}
		},
		func(at loop.Stamp) plan.Event { return plan.MovedAway{Stamp: at} },
		func(at loop.Stamp, lost string) plan.Event { return plan.Arrived{Stamp: at, Abandoned: lost} },
	}
)

// arrive lets a run arrive in the store to, which has all its events and continues it as
// complete, and confirms that in the store from; there is the journal of to.
func arrive[S any, E journal.Event](ctx context.Context, m *Mover, kind machine[S, E], from, to engine.Lease[S, E], complete S, there journalOf) error {
	m.fault("copied")
	if err := from.Owned(ctx); err != nil {
		return err
	}
	events := []E{kind.movedAway(m.stamp()), kind.arrived(m.stamp(), "")}
	next, err := journal.Fold(kind.apply, complete, events...)
	if err == nil {
		err = record(ctx, to, next, events)
	}
	if err != nil {
		return err
	}
	m.fault("arrived")
	return confirm(ctx, m, kind, from, there)
}

// confirm records in the store that a run left what the other one has: that it left.
func confirm[S any, E journal.Event](ctx context.Context, m *Mover, kind machine[S, E], from engine.Lease[S, E], there journalOf) error {
	away, err := departure(ctx, kind, there, from.ID(), from.Seq())
	if err != nil {
		return err
	}
	next, err := kind.apply(from.State(), away)
	if err == nil {
		err = record(ctx, from, next, []E{away})
	}
	m.fault("confirmed")
	return err
}

// departure returns the event by which a run left a store, as the other one has it: it is the
// next one there after a number.
func departure[S any, E journal.Event](ctx context.Context, kind machine[S, E], from journalOf, id string, after int64) (away E, err error) {
	page, err := from(ctx, id, after)
	if err != nil {
		return away, err
	}
	if len(page) == 0 {
		return away, missing(id)
	}
	away, is := page[0].Decoded.(E)
	if !is || away.Name() != kind.movedAway(loop.Stamp{}).Name() {
		return away, fmt.Errorf("%w: the other record of %s has another event than its departure", engine.ErrDamaged, id)
	}
	return away, nil
}
