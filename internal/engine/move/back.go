package move

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Back moves a loop of the server to this machine, completes such a move, or takes back a
// move from here that has not arrived there.
func (m *Mover) Back(ctx context.Context, id string) (Moved, error) {
	return back(ctx, m, m.loops(), id)
}

// BackPlan is Back for a plan with its loops.
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
	return k.bring(ctx, b)
}

// takeBack gives up a move from here that has not arrived. Where it has, this machine is told.
func takeBack[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string, b both[S]) (done Outcome[S], arrived bool, err error) {
	l, err := k.hold(ctx, id)
	if err != nil {
		return done, false, err
	}
	defer func() { _ = l.Release(ctx) }()
	if b.isThere { // as it is once no request of a process that was killed can change it
		if k.transit(&b.there.State).Partial != nil {
			fence, err := k.acquireThere(ctx, id, true)
			if err != nil {
				return done, false, err
			}
			release(ctx, fence)
		}
		there, err := k.there.Read(ctx, id)
		if err != nil {
			return done, false, err
		}
		if there.Seq > l.Seq() {
			if err := confirm(ctx, m, k.machine, l, k.there.Events); err != nil {
				return done, false, err
			}
			_, err = k.left(ctx, l)
			return done, true, err
		}
	} else if _, appeared, err := known(k.there.Read(ctx, id)); err != nil || appeared {
		return done, false, errors.Join(err, fmt.Errorf("%s %s: %w", k.noun, id, engine.ErrNotNow))
	}
	if err := k.recall(ctx, l.State()); err != nil {
		return done, false, err
	}
	done.TakenBack = true
	done.State, err = k.continueHere(ctx, l, k.arrived(m.stamp(), ""))
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
	from, err := k.acquireThere(ctx, id, true)
	if err != nil {
		return done, err
	}
	defer release(ctx, from)
	if err := confirm(ctx, m, k.machine, from, k.here.Events); err != nil {
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
	case b.there.Archived:
		return false, k.cannotMove(id, "it is archived")
	case b.there.Live:
		return false, fmt.Errorf("%s %s: %w", k.noun, id, engine.ErrRunning)
	}
	return false, k.come(ctx, b)
}

// sameHere refuses a loop of the same id here that is another one.
func (m *Mover) sameHere(ctx context.Context, have, there engine.Stored[loop.State]) error {
	first, err := m.first(ctx, have.State.ID)
	if err != nil {
		return err
	}
	if err := sameRun(there.Spec, first); err != nil {
		return err
	}
	return m.sameEvents(ctx, first.ID, min(there.Seq, have.Seq))
}

// bring moves a loop here.
func (m *Mover) bring(ctx context.Context, b both[loop.State]) (Moved, error) {
	s := b.there.State
	toHere, err := mayCome(ctx, m, m.loops(), s.ID, b)
	if err != nil {
		return Moved{}, err
	}
	kept, err := m.Travel.FetchWhole(ctx, s)
	if err != nil {
		return Moved{}, err
	}
	m.fault("fetched")
	// A move to here was begun here; the lease here excludes another process of this machine.
	from, err := m.loops().acquireThere(ctx, s.ID, toHere)
	if err != nil {
		return Moved{}, err
	}
	defer release(ctx, from)
	if s := from.State(); s.Move == nil {
		if s.Tip() != b.there.State.Tip() || from.Seq() != b.there.Seq {
			return Moved{}, fmt.Errorf("loop %s continued meanwhile: %w", s.ID, engine.ErrNotNow)
		}
		if err := m.beginThere(ctx, from); err != nil {
			return Moved{}, err
		}
	}
	m.fault("began")
	to, err := m.incoming(ctx, from.ID(), b.there.Spec, b.isHere)
	if err != nil {
		return Moved{}, err
	}
	defer func() { _ = to.Release(ctx) }()
	return m.receive(ctx, from, to, kept)
}

// mayCome refuses a loop that a worker has to continue first, or that cannot be read here.
func (m *Mover) mayCome(ctx context.Context, b both[loop.State]) error {
	if s := b.there.State; s.Began || s.Ending != nil && !s.Status.Terminal() {
		return fmt.Errorf("loop %s was cut off in the middle of a step, which a worker has to end first: %w", s.ID, engine.ErrNotNow)
	}
	return m.playable(ctx, b.there, b.have, b.isHere)
}

// beginThere pauses a loop that waits for a worker, and records the intent.
func (m *Mover) beginThere(ctx context.Context, from lease) error {
	var events []loop.Event
	if s := from.State(); !s.AtRest() {
		events = append(events, loop.PauseAsked{Stamp: m.stamp(), By: loop.NoOwner, Why: "no worker had it when it moved"})
		if s.Status == loop.Running {
			events = append(events, loop.Interrupted{Stamp: m.stamp(), Why: "no process runs the loop"})
		}
	}
	return commitThere(ctx, from, append(events, loop.MoveBegan{Stamp: m.stamp(), From: m.There, To: m.Here, WithPlan: m.plan != ""})...)
}

// incoming is the lease of the record here, which is made where there is none.
func (m *Mover) incoming(ctx context.Context, id string, spec []byte, isHere bool) (stored.Copy, error) {
	if !isHere {
		first, err := firstOf(spec, id)
		if err != nil {
			return stored.Copy{}, err
		}
		return m.Copies.CreateMoved(ctx, first, first.Incomplete(m.There, m.Here))
	}
	l, err := m.reacquired(ctx, id)
	if err != nil {
		return l, err
	}
	if s := l.State(); engine.MovedOf(s) == nil {
		return l, errors.Join(fmt.Errorf("loop %s is here by now: %w", id, engine.ErrNotNow), l.Release(ctx))
	}
	return l, nil
}

// receive copies the record, and lets the loop arrive here.
func (m *Mover) receive(ctx context.Context, from lease, to stored.Copy, kept string) (Moved, error) {
	m.fault("acquired here")
	if err := m.Travel.GetFiles(ctx, to.ID(), to.Dir()); err != nil {
		return Moved{}, err
	}
	if err := m.copyHere(ctx, from.Seq(), to); err != nil {
		return Moved{}, err
	}
	if err := m.Local.Arrive(ctx, to.LoopLease, kept); err != nil {
		return Moved{}, err
	}
	err := arrive(ctx, m, loopMachine, from, to, to.State().Complete(), m.Copies.Events)
	return Moved{State: to.State()}, err
}
