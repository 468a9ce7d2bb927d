package move

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/journal"
)

// Back moves a loop of the server to this machine, completes such a move, or takes back a
// move from here that has not arrived there.
func (m *Mover) Back(ctx context.Context, id string) (Moved, error) {
	return back(ctx, m, m.loops(), id)
}

// BackPlan is Back for a plan with its parts.
func (m *Mover) BackPlan(ctx context.Context, id string) (MovedPlan, error) {
	return back(ctx, m, m.plans(), id)
}

func back[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string) (Outcome[S], error) {
	b, err := k.read(ctx, id)
	if err != nil {
		return Outcome[S]{}, err
	}
	if t := k.transit(&b.have.State); t.Partial == nil && t.Move != nil && !t.Away() {
		if !t.Move.To.Same(m.There) {
			return Outcome[S]{}, k.moved(b.have.State)
		}
		done, arrived, err := takeBack(ctx, m, k, id, b)
		if err != nil || !arrived {
			return done, err
		}
		if b, err = k.read(ctx, id); err != nil {
			return Outcome[S]{}, err
		}
	}
	isHere := b.isHere && k.moved(b.have.State) == nil
	switch {
	case !b.isThere && isHere:
		return Outcome[S]{State: b.have.State, Already: true}, nil
	case !b.isThere:
		return Outcome[S]{}, fmt.Errorf("%w on %s: %s", engine.ErrNotFound, m.There, id)
	}
	if b.isHere {
		if err := k.same(ctx, b.have, b.there); err != nil {
			return Outcome[S]{}, err
		}
	}
	if isHere {
		return already(ctx, m, k, id, b)
	}
	return bring(ctx, m, k, id, b)
}

// takeBack gives up a move from here that has not arrived. Where it has, this machine is told.
func takeBack[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string, b both[S]) (done Outcome[S], arrived bool, err error) {
	l, err := k.hold(ctx, id, nil)
	if err != nil {
		return done, false, err
	}
	defer func() { _ = l.Release(ctx) }()
	if b.isThere { // as it is once no request of a process that was killed can change it
		if k.transit(&b.there.State).Partial != nil {
			fence, err := k.acquireThere(ctx, id, nil, true)
			if err != nil {
				return done, false, err
			}
			release(ctx, fence)
		}
		there, err := k.server.Read(ctx, id)
		if err != nil {
			return done, false, err
		}
		if there.Seq > l.Seq() {
			if err := confirm(ctx, m, k.machine, l, k.server.Events); err != nil {
				return done, false, err
			}
			_, err = k.handBack(ctx, l)
			return done, true, err
		}
	} else if _, appeared, err := known(k.server.Read(ctx, id)); err != nil || appeared {
		return done, false, errors.Join(err, fmt.Errorf("%s %s: %w", k.noun, id, engine.ErrNotNow))
	}
	if err := k.recall(ctx, l.State()); err != nil {
		return done, false, err
	}
	done.TakenBack = true
	done.State, err = k.recordHere(ctx, l, k.arrived(m.stamp(), ""))
	return done, false, err
}

// already is a run that is here. The server may not have been told.
func already[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string, b both[S]) (Outcome[S], error) {
	done := Outcome[S]{State: b.have.State, Already: true}
	if b.there.Seq > b.have.Seq {
		return done, fmt.Errorf("%w here, and it continued in both places", engine.ErrExists)
	}
	if t := k.transit(&b.there.State); t.Partial != nil || t.Away() || t.Move == nil {
		return done, nil
	}
	from, err := k.acquireThere(ctx, id, nil, true)
	if err != nil {
		return done, err
	}
	defer release(ctx, from)
	if err := confirm(ctx, m, k.machine, from, k.records.Events); err != nil {
		return done, err
	}
	return done, k.returned(ctx, id)
}

// mayCome refuses a run of the server that cannot be moved here now. toHere: its move to here
// began.
func mayCome[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string, b both[S]) (toHere bool, err error) {
	t := k.transit(&b.there.State)
	toHere = t.Partial == nil && t.Move != nil && !t.Away() && t.Move.To.Same(m.Here)
	switch moved, why := k.moved(b.there.State), k.immovable(b.there.State); {
	case t.Partial != nil:
		return false, &engine.MovedError{ID: id, Plan: k.noun == "plan", To: m.There, Moving: true}
	case toHere:
		return true, nil
	case moved != nil:
		return false, moved
	case why != "":
		return false, k.cannotMove(id, why)
	case b.there.Archived && !k.archived:
		return false, k.cannotMove(id, "it is archived")
	case b.there.Live:
		return false, fmt.Errorf("%s %s: %w", k.noun, id, engine.ErrRunning)
	}
	return false, k.come(ctx, b)
}

// bring moves a run here.
func bring[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string, b both[S]) (done Outcome[S], err error) {
	toHere, err := mayCome(ctx, m, k, id, b)
	if err != nil {
		return done, err
	}
	kept, err := k.fetch(ctx, b.there.State)
	if err != nil {
		return done, err
	}
	m.fault("fetched")
	// A move to here was begun here; the lease here excludes another process of this machine.
	from, err := k.acquireThere(ctx, id, nil, toHere)
	if err != nil {
		return done, err
	}
	defer release(ctx, from)
	if err := beginThere(ctx, m, k, from, b.there); err != nil {
		return done, err
	}
	if err := k.partsBack(ctx, b.there.State); err != nil {
		return done, err
	}
	l, err := incoming(ctx, k, id, b)
	if err != nil {
		return done, err
	}
	defer func() { _ = l.Release(ctx) }()
	if err = receive(ctx, m, k, from, l, b.there, kept); err == nil {
		err = k.writeBack(ctx, l)
	}
	return Outcome[S]{State: l.State()}, err
}

// beginThere lets a run that waits for a worker rest, and records the intent.
func beginThere[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], from engine.Lease[S, E], there engine.Stored[S]) error {
	if now := from.State(); k.transit(&now).Move == nil {
		if from.Seq() != there.Seq || k.tip(now) != k.tip(there.State) {
			return fmt.Errorf("%s %s continued meanwhile: %w", k.noun, from.ID(), engine.ErrNotNow)
		}
		if err := k.recordThere(ctx, from, append(k.pause(now), k.began(m.intent(m.There, m.Here)))...); err != nil {
			return err
		}
	}
	m.fault("began")
	return nil
}

// incoming is the lease of the record here, which is made where there is none.
func incoming[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, k kind[S, E, H], id string, b both[S]) (l H, err error) {
	spec, err := k.requestHere(b.there)
	if err != nil {
		return l, err
	}
	if !b.isHere {
		return k.create(ctx, b.there, spec)
	}
	if l, err = k.hold(ctx, id, spec); err != nil {
		return l, err
	}
	if k.moved(l.State()) == nil {
		return l, errors.Join(fmt.Errorf("%s %s is here by now: %w", k.noun, id, engine.ErrNotNow), l.Release(ctx))
	}
	return l, nil
}

// receive copies a run to this machine and lets it arrive here.
func receive[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], from engine.Lease[S, E], l H, there engine.Stored[S], kept string) error {
	return carry(ctx, m, k, end{m.There, k.server.Events}, end{m.Here, k.records.Events}, from, l, arrival[S, E]{
		start:  k.start(from.State(), l.State(), true),
		files:  func() error { return k.getFiles(ctx, l, there) },
		land:   func() error { return k.land(ctx, l, kept) },
		most:   k.most,
		record: func(next S, events []E) error { return k.copied(ctx, l, next, events) },
	})
}
