package move

import (
	"context"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/journal"
)

// A clone may be lost with the runs that moved to it, or while one moves to it. AbandonClone
// continues such a run on the server from the record there, as it stood before the move; any
// other clone can ask for that. It is Abandon for the other direction, and what holds there of two
// records holds here: should the clone come back, the two are never merged.
//
// A move that is under way holds the lease on the server, and is not abandoned. Once that lease
// is over, a process of the clone that was only slow finds out before the run arrives in the
// clone: see arrive.

// AbandonClone continues a loop on the server that has left for a clone, or is leaving.
func (m *Mover) AbandonClone(ctx context.Context, id string) (Moved, error) {
	return abandonClone(ctx, m, m.loops(), id)
}

// AbandonClonePlan is AbandonClone for a plan with its parts.
func (m *Mover) AbandonClonePlan(ctx context.Context, id string) (MovedPlan, error) {
	return abandonClone(ctx, m, m.plans(), id)
}

func abandonClone[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string) (done Outcome[S], err error) {
	b, err := k.read(ctx, id)
	if err != nil {
		return done, err
	}
	switch t := k.transit(&b.there.State); {
	case !b.isThere:
		return done, fmt.Errorf("%w on %s: %s", engine.ErrNotFound, m.There, id)
	case t.Partial != nil: // only a part of the record is there
		return done, &engine.MovedError{ID: id, Plan: k.noun == "plan", To: m.There, Moving: true}
	case t.Move == nil:
		return Outcome[S]{State: b.there.State, Already: true}, nil
	case t.Move.To.Same(m.Here) && b.isHere: // this clone is not lost
		return done, k.moved(b.there.State)
	}
	l, err := k.acquireThere(ctx, id, nil, false)
	if err != nil {
		return done, err
	}
	defer release(ctx, l)
	now := l.State()
	t := k.transit(&now)
	if t.Move == nil {
		return done, fmt.Errorf("%s %s continued meanwhile: %w", k.noun, id, engine.ErrNotNow)
	}
	if err := k.keepThere(ctx, now); err != nil {
		return done, err
	}
	m.fault("kept what is there")
	err = k.recordThere(ctx, l, k.arrived(m.stamp(), t.Move.To.String()))
	return Outcome[S]{State: l.State(), TakenBack: true}, err
}
