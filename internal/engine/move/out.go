package move

import (
	"context"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/journal"
)

// Out moves a loop of this machine to the server, or completes such a move.
func (m *Mover) Out(ctx context.Context, id string) (Moved, error) {
	return out(ctx, m, m.loops(), id)
}

// OutPlan is Out for a plan with its parts.
func (m *Mover) OutPlan(ctx context.Context, id string) (MovedPlan, error) {
	return out(ctx, m, m.plans(), id)
}

func out[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string) (done Outcome[S], err error) {
	r, err := rests(ctx, m, k, id)
	if err != nil || r.Archived && k.transit(&r.State).Away() { // since it left
		return Outcome[S]{State: r.State, Already: err == nil}, err
	}
	l, err := k.hold(ctx, id, nil)
	if err != nil {
		return done, err
	}
	defer func() { _ = l.Release(ctx) }()
	var there found[S]
	if now := l.State(); k.transit(&now).Away() { // in a move that was killed before the trees were handed back
		done.Already = true
		there.Stored, err = k.server.Read(ctx, id)
	} else {
		there, err = begin(ctx, m, k, l)
	}
	if err != nil {
		return done, err
	}
	done.State = there.State
	if done.Kept, err = k.partsOut(ctx, l.State()); err != nil {
		return done, err
	}
	if !done.Already {
		if done.State, err = send(ctx, m, k, l, there); err != nil {
			return done, err
		}
	}
	kept, err := k.handBack(ctx, l)
	done.Kept = append(done.Kept, kept...)
	return done, err
}

// rests leaves a run of this machine where it can move from, unless it is moving.
func rests[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string) (engine.Stored[S], error) {
	r, err := k.readHere(ctx, id)
	if err != nil {
		return r, err
	}
	switch t, why := k.transit(&r.State), k.immovable(r.State); {
	case t.Partial != nil, t.Move != nil && !t.Move.To.Same(m.There):
		return r, k.moved(r.State)
	case t.Move != nil:
		return r, nil
	case why != "":
		return r, k.cannotMove(id, why)
	case r.Archived && !k.archived:
		return r, k.cannotMove(id, "it is archived")
	case r.Live:
		return r, fmt.Errorf("%s %s: %w", k.noun, id, engine.ErrRunning)
	}
	return r, k.rest(ctx, r)
}

// found is the record of a run on the server, where there is one.
type found[S any] struct {
	engine.Stored[S]
	exists bool
}

// begin pushes the work and records the intent, unless the run has arrived and this machine
// was not told.
func begin[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], l H) (found[S], error) {
	there, err := mayArrive(ctx, m, k, l)
	if err != nil || there.Seq > l.Seq() {
		return there, err
	}
	now := l.State()
	if err := k.offer(ctx, l, there.exists); err != nil || k.transit(&now).Move != nil {
		return there, err
	}
	m.fault("offered")
	_, err = k.recordHere(ctx, l, k.began(m.intent(m.Here, m.There)))
	m.fault("began")
	return there, err
}

// mayArrive returns the record on the server, which must be that of the same run, and not one
// that continued there.
func mayArrive[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], l H) (there found[S], err error) {
	there.Stored, there.exists, err = known(k.server.Read(ctx, l.ID()))
	if err != nil || !there.exists {
		return found[S]{}, err
	}
	have := engine.Stored[S]{State: l.State(), Seq: l.Seq()}
	if err := k.same(ctx, have, there.Stored); err != nil {
		return there, err
	}
	switch t := k.transit(&there.State); {
	case there.Seq > have.Seq && k.transit(&have.State).Move != nil: // it has arrived
		return there, nil
	case there.Seq > have.Seq, t.Partial == nil && t.Move == nil:
		return there, fmt.Errorf("%w on the other side, where it continued", engine.ErrExists)
	case there.Archived && !k.archived:
		return there, fmt.Errorf("%w on the server, where it is archived", engine.ErrExists)
	case t.Partial == nil && !t.Away(): // it came here, and the server was not told
		from, err := k.acquireThere(ctx, l.ID(), nil, true)
		if err != nil {
			return there, err
		}
		defer release(ctx, from)
		err = confirm(ctx, m, k.machine, from, k.records.Events)
		there.State, there.Seq = from.State(), from.Seq()
		return there, err
	}
	return there, nil
}

// send copies a run to the server and lets it arrive there. It returns the state there.
func send[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], l H, there found[S]) (S, error) {
	if there.Seq > l.Seq() {
		return there.State, confirm(ctx, m, k.machine, l, k.server.Events)
	}
	to, err := target(ctx, m, k, l, there)
	if err != nil {
		return there.State, err
	}
	defer release(ctx, to)
	err = carry(ctx, m, k, end{m.Here, k.records.Events}, end{m.There, k.server.Events}, l, to, arrival[S, E]{
		start:  k.start(l.State(), to.State(), false),
		files:  func() error { return k.putFiles(ctx, l, to.Epoch()) },
		record: func(next S, events []E) error { return record(ctx, to, next, events) },
	})
	return to.State(), err
}

// target is the lease of the record on the server, which is made where there is none.
func target[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], l H, there found[S]) (engine.Lease[S, E], error) {
	first, spec, err := k.requestThere(ctx, l)
	if err != nil {
		return nil, err
	}
	if there.exists {
		// Only a move from here holds a record that is incomplete or was left for here, and
		// this one has the lease here.
		t := k.transit(&there.State)
		if !k.renews {
			spec = nil
		}
		return k.acquireThere(ctx, l.ID(), spec, t.Partial != nil || t.Away() && t.Move.To.Same(m.Here))
	}
	return asked(ctx, func(ctx context.Context) (engine.Lease[S, E], error) {
		return k.server.Create(ctx, k.incomplete(first, m.Here, m.There), spec)
	})
}
