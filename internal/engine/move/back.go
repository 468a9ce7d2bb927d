package move

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
)

// Back moves a loop of the server to this machine, completes such a move, or takes back a
// move from here that has not arrived there.
func (m *Mover) Back(ctx context.Context, id string) (Moved, error) {
	have, isHere, err := m.Known(ctx, id)
	if err != nil {
		return Moved{}, err
	}
	there, isThere, err := known(m.Server.Read(ctx, id))
	if err != nil {
		return Moved{}, err
	}
	if s := have.State; isHere && m.apart(s) || isThere && m.apart(there.State) {
		return Moved{}, &engine.ImmovableError{ID: id, Why: "it belongs to a plan, and moves with it only"}
	}
	if s := have.State; isHere && s.Partial == nil && s.Move != nil && !s.Away() {
		if !have.State.Move.To.Same(m.There) {
			return Moved{}, engine.MovedOf(have.State)
		}
		done, arrived, err := m.takeBack(ctx, id, there, isThere)
		if err != nil || !arrived {
			return done, err
		}
		if have, isHere, err = m.Known(ctx, id); err != nil {
			return Moved{}, err
		}
		if there, isThere, err = known(m.Server.Read(ctx, id)); err != nil {
			return Moved{}, err
		}
	}
	switch {
	case !isThere && isHere && engine.MovedOf(have.State) == nil:
		return Moved{State: have.State, Already: true}, nil
	case !isThere:
		return Moved{}, fmt.Errorf("%w on %s: %s", engine.ErrNotFound, m.There, id)
	}
	if isHere {
		if err := m.sameHere(ctx, have, there); err != nil {
			return Moved{}, err
		}
	}
	if isHere && engine.MovedOf(have.State) == nil {
		return m.already(ctx, have, there)
	}
	return m.bring(ctx, there, have, isHere)
}

// takeBack gives up a move from here that has not arrived. Where it has, this machine is told.
func (m *Mover) takeBack(ctx context.Context, id string, there engine.Stored[loop.State], isThere bool) (done Moved, arrived bool, err error) {
	l, err := m.held(ctx, id)
	if err != nil {
		return done, false, err
	}
	defer func() { _ = l.Release(ctx) }()
	if isThere { // as it is once no request of a process that was killed can change it
		if err := m.fence(ctx, there); err != nil {
			return done, false, err
		}
		if there, err = m.Server.Read(ctx, id); err != nil {
			return done, false, err
		}
		if there.Seq > l.Seq() {
			_, err = m.confirmHere(ctx, l, there.State)
			return done, true, err
		}
	} else if _, isThere, err = known(m.Server.Read(ctx, id)); err != nil || isThere {
		return done, false, errors.Join(err, fmt.Errorf("loop %s: %w", id, engine.ErrNotNow))
	}
	err = commitHere(ctx, l, loop.Arrived{Stamp: m.stamp()})
	return Moved{State: l.State(), TakenBack: true}, false, err
}

// fence ends the lease of a move from here that was killed.
func (m *Mover) fence(ctx context.Context, there engine.Stored[loop.State]) error {
	if there.State.Partial == nil {
		return nil
	}
	l, err := m.acquireThere(ctx, there.State.ID, true)
	if err == nil {
		release(ctx, l)
	}
	return err
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

// already is a loop that is here. The server may not have been told.
func (m *Mover) already(ctx context.Context, have, there engine.Stored[loop.State]) (Moved, error) {
	done := Moved{State: have.State, Already: true}
	if there.Seq > have.Seq {
		return done, fmt.Errorf("%w here, and it continued in both places", engine.ErrExists)
	}
	if s := there.State; s.Partial != nil || s.Away() || s.Move == nil {
		return done, nil
	}
	from, err := m.acquireThere(ctx, have.State.ID, true)
	if err != nil {
		return done, err
	}
	defer release(ctx, from)
	return done, confirm(ctx, m, loopMachine, from, m.Copies.Events)
}

// bring moves a loop here. have is the record that is here, where there is one.
func (m *Mover) bring(ctx context.Context, there, have engine.Stored[loop.State], isHere bool) (Moved, error) {
	s := there.State
	toHere, err := m.mayCome(ctx, there, have, isHere)
	if err != nil {
		return Moved{}, err
	}
	kept, err := m.Travel.FetchWhole(ctx, s)
	if err != nil {
		return Moved{}, err
	}
	m.fault("fetched")
	// A move to here was begun here; the lease here excludes another process of this machine.
	from, err := m.acquireThere(ctx, s.ID, toHere)
	if err != nil {
		return Moved{}, err
	}
	defer release(ctx, from)
	if s := from.State(); s.Move == nil {
		if s.Tip() != there.State.Tip() || from.Seq() != there.Seq {
			return Moved{}, fmt.Errorf("loop %s continued meanwhile: %w", s.ID, engine.ErrNotNow)
		}
		if err := m.beginThere(ctx, from); err != nil {
			return Moved{}, err
		}
	}
	m.fault("began")
	to, err := m.incoming(ctx, from.ID(), there.Spec, isHere)
	if err != nil {
		return Moved{}, err
	}
	defer func() { _ = to.Release(ctx) }()
	return m.receive(ctx, from, to, kept)
}

// mayCome refuses a loop of the server that cannot be moved here now. toHere: its move to here
// began.
func (m *Mover) mayCome(ctx context.Context, there, have engine.Stored[loop.State], isHere bool) (toHere bool, err error) {
	s := there.State
	toHere = s.Partial == nil && s.Move != nil && !s.Away() && s.Move.To.Same(m.Here)
	switch moved := engine.MovedOf(s); {
	case s.Partial != nil:
		return toHere, &engine.MovedError{ID: s.ID, To: m.There, Moving: true}
	case moved != nil && !toHere:
		return toHere, moved
	case m.immovable(s) != "" && !toHere:
		return toHere, &engine.ImmovableError{ID: s.ID, Why: m.immovable(s)}
	case there.Archived:
		return toHere, &engine.ImmovableError{ID: s.ID, Why: "it is archived"}
	case there.Live && !toHere:
		return toHere, fmt.Errorf("loop %s: %w", s.ID, engine.ErrRunning)
	case (s.Began || s.Ending != nil && !s.Status.Terminal()) && !toHere:
		return toHere, fmt.Errorf("loop %s was cut off in the middle of a step, which a worker has to end first: %w", s.ID, engine.ErrNotNow)
	}
	return toHere, m.playable(ctx, there, have, isHere)
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
	if err := m.Copies.Store.Unarchive(ctx, id); err != nil {
		return stored.Copy{}, situation.Of(err)
	}
	l, err := m.held(ctx, id)
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
