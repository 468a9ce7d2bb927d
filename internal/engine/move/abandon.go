package move

import (
	"context"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A server may be lost with the runs that moved there. Abandon continues such a run from its
// record here, as it stood before the move, and asks no server. So nothing stops a worker that
// still reaches the server: there the run continues apart. Should the server answer again, its
// record is never merged with this one: after the event with which the run left, one record has
// that it arrived there, and the other one that the server was abandoned (see sameEvent).

// Abandon continues a loop here that has left for a server, or is leaving.
func (m *Mover) Abandon(ctx context.Context, id string) (Moved, error) {
	r, ok, err := m.Known(ctx, id)
	if err == nil && ok && m.apart(r.State) {
		err = &engine.ImmovableError{ID: id, Why: r.State.Immovable(false)}
	}
	if err == nil {
		err = mayAbandon(id, ok, r.State.Transit(), engine.MovedOf(r.State))
	}
	if err != nil || r.State.Move == nil {
		return Moved{State: r.State, Already: true}, err
	}
	if err := m.Copies.Store.Unarchive(ctx, id); err != nil {
		return Moved{}, situation.Of(err)
	}
	l, err := m.held(ctx, id)
	if err != nil {
		return Moved{}, err
	}
	defer func() { _ = l.Release(ctx) }()
	s, done := l.State(), Moved{TakenBack: true}
	if s.Away() {
		if done, err = m.left(ctx, l, done); err == nil {
			err = m.Local.Arrive(ctx, l.LoopLease, "")
		}
		if err != nil {
			return done, err
		}
	}
	m.fault("made the branches")
	err = commitHere(ctx, l, loop.Arrived{Stamp: m.stamp(), Abandoned: s.Move.To.String()})
	done.State = l.State()
	return done, err
}

// AbandonPlan is Abandon for a plan with its loops.
func (m *Mover) AbandonPlan(ctx context.Context, id string) (MovedPlan, error) {
	r, ok, err := m.KnownPlan(ctx, id)
	if err == nil {
		err = mayAbandon(id, ok, r.State.Transit(), engine.PlanMovedOf(r.State))
	}
	if err != nil || r.State.Move == nil {
		return MovedPlan{State: r.State, Already: true}, err
	}
	l, err := m.Plans.Here.Acquire(ctx, id, nil, false)
	if err != nil {
		return MovedPlan{}, err
	}
	defer func() { _ = l.Release(ctx) }()
	s, done := l.State(), MovedPlan{TakenBack: true}
	loops, err := m.loopsHere(ctx, s)
	if err == nil {
		done.Kept, err = moveLoops(loops, func(loop string) (Moved, error) { return m.with(id).Abandon(ctx, loop) })
	}
	if err == nil {
		err = m.Plans.Local.Arrive(ctx, s, nil)
	}
	if err != nil {
		return done, err
	}
	m.fault("abandoned the loops")
	done.State, err = engine.CommitPlan(ctx, l, plan.Arrived{Stamp: m.stamp(), Abandoned: s.Move.To.String()})
	return done, err
}

// mayAbandon refuses a run that this machine does not have, or only a part of it. moved is the
// error about one that is not here.
func mayAbandon(id string, known bool, t loop.Transit, moved error) error {
	switch {
	case !known:
		return fmt.Errorf("%w: %s", engine.ErrNotFound, id)
	case *t.Partial != nil:
		return moved
	}
	return nil
}
