package move

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/journal"
)

// A server may be lost with the runs that moved there. Abandon continues such a run from its
// record here, as it stood before the move, and asks no server. So nothing stops a worker that
// still reaches the server: there the run continues apart. Should the server answer again, its
// record is never merged with this one: after the event with which the run left, one record has
// that it arrived there, and the other one that the server was abandoned (see sameEvent).

// Abandon continues a loop here that has left for a server, or is leaving.
func (m *Mover) Abandon(ctx context.Context, id string) (Moved, error) {
	return abandon(ctx, m, m.loops(), id)
}

// AbandonPlan is Abandon for a plan with its parts.
func (m *Mover) AbandonPlan(ctx context.Context, id string) (MovedPlan, error) {
	return abandon(ctx, m, m.plans(), id)
}

func abandon[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string) (Outcome[S], error) {
	r, err := k.readHere(ctx, id)
	t := k.transit(&r.State)
	switch {
	case err != nil:
		return Outcome[S]{}, err
	case t.Partial != nil: // only a part of the record is here
		return Outcome[S]{}, k.moved(r.State)
	case t.Move == nil:
		return Outcome[S]{State: r.State, Already: true}, nil
	}
	l, err := k.hold(ctx, id, nil)
	if err != nil {
		return Outcome[S]{}, err
	}
	defer func() { _ = l.Release(ctx) }()
	done := Outcome[S]{TakenBack: true}
	if done.Kept, err = k.keep(ctx, l); err != nil {
		return done, err
	}
	m.fault("kept what is here")
	done.State, err = k.recordHere(ctx, l, k.arrived(m.stamp(), t.Move.To.String()))
	return done, err
}
