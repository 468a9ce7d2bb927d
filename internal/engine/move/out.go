package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Out moves a loop of this machine to the server, or completes such a move.
func (m *Mover) Out(ctx context.Context, id string) (Moved, error) {
	r, err := rests(ctx, m, m.loops(), id)
	if err != nil {
		return Moved{State: r.State}, err
	}
	if r.Archived { // since it left
		return Moved{State: r.State, Already: true}, nil
	}
	l, err := m.held(ctx, id)
	if err != nil {
		return Moved{}, err
	}
	defer func() { _ = l.Release(ctx) }()
	if s := l.State(); s.Away() { // in a move that was killed before the trees were handed back
		there, err := m.Server.Read(ctx, id)
		if err != nil {
			return Moved{}, err
		}
		return m.left(ctx, l, Moved{State: there.State, Already: true})
	}
	first, err := m.first(ctx, id)
	if err != nil {
		return Moved{}, err
	}
	there, exists, err := m.thereFor(ctx, l, first)
	if err != nil {
		return Moved{}, err
	}
	if exists && there.Seq > l.Seq() { // it has arrived, and this machine was not told
		return m.confirmHere(ctx, l, there.State)
	}
	if err := m.begin(ctx, l, first, exists); err != nil {
		return Moved{}, err
	}
	to, err := m.target(ctx, first, there, exists)
	if err != nil {
		return Moved{}, err
	}
	defer release(ctx, to)
	return m.transfer(ctx, l, to)
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
	case r.Archived:
		return r, k.cannotMove(id, "it is archived")
	case r.Live:
		return r, fmt.Errorf("%s %s: %w", k.noun, id, engine.ErrRunning)
	}
	return r, k.rest(ctx, r)
}

// restHere pauses a loop whose process died, and carries out what was sent to it.
func (m *Mover) restHere(ctx context.Context, r engine.Stored[loop.State]) error {
	unread, err := m.Copies.Store.Unread(ctx, r.State.ID)
	if err == nil && (unread || !r.State.AtRest()) {
		err = m.Local.Rest(ctx, r.State.ID)
	}
	return err
}

// thereFor returns the record on the server, which must be that of the same run.
func (m *Mover) thereFor(ctx context.Context, l stored.Copy, first loop.State) (there engine.Stored[loop.State], exists bool, err error) {
	there, exists, err = known(m.Server.Read(ctx, first.ID))
	if err != nil || !exists {
		return there, false, err
	}
	if err := sameRun(there.Spec, first); err != nil {
		return there, true, err
	}
	if err := m.sameEvents(ctx, first.ID, min(there.Seq, l.Seq())); err != nil {
		return there, true, err
	}
	s := there.State
	if there.Seq > l.Seq() {
		if now := l.State(); now.Move == nil {
			return there, true, fmt.Errorf("%w on the other side, where it continued", engine.ErrExists)
		}
		return there, true, nil
	}
	if there.Archived {
		return there, true, fmt.Errorf("%w on the server, where it is archived", engine.ErrExists)
	}
	if s.Move != nil && !s.Away() && s.Partial == nil { // it came here, and the server was not told
		to, err := m.loops().acquireThere(ctx, first.ID, true)
		if err != nil {
			return there, true, err
		}
		defer release(ctx, to)
		if err := confirm(ctx, m, loopMachine, to, m.Copies.Events); err != nil {
			return there, true, err
		}
		there.State, there.Seq = to.State(), to.Seq()
	}
	return there, true, nil
}

// begin pushes the work and records the intent.
func (m *Mover) begin(ctx context.Context, l stored.Copy, first loop.State, exists bool) error {
	moving := l.State().Move != nil
	if err := m.offer(ctx, l, first, exists); err != nil || moving {
		return err
	}
	m.fault("offered")
	err := commitHere(ctx, l, loop.MoveBegan{Stamp: m.stamp(), From: m.Here, To: m.There, WithPlan: m.plan != ""})
	m.fault("began")
	return err
}

// offer pushes the work of a loop that can move.
func (m *Mover) offer(ctx context.Context, l stored.Copy, first loop.State, exists bool) error {
	s := l.State()
	if s.Move != nil {
		return m.Travel.Offer(ctx, s, exists)
	}
	if why := m.immovable(s); why != "" {
		return &engine.ImmovableError{ID: s.ID, Why: why}
	}
	if !s.AtRest() {
		return fmt.Errorf("loop %s does not rest yet: %w", s.ID, engine.ErrNotNow)
	}
	if err := errors.Join(m.fits(ctx, s, first), m.Local.MayLeave(ctx, l.LoopLease)); err != nil {
		return err
	}
	return m.Travel.Offer(ctx, s, exists)
}

// target is the lease of the record on the server, which is made where there is none.
func (m *Mover) target(ctx context.Context, first loop.State, there engine.Stored[loop.State], exists bool) (lease, error) {
	if exists {
		// Only a move from here holds a record that is incomplete or was left for here, and
		// this one has the lease here.
		s := there.State
		return m.loops().acquireThere(ctx, first.ID, s.Partial != nil || s.Away() && s.Move.To.Same(m.Here))
	}
	spec, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	return asked(ctx, func(ctx context.Context) (lease, error) {
		return m.Server.Create(ctx, first.Incomplete(m.Here, m.There), spec)
	})
}

// transfer copies the record, and lets the loop arrive.
func (m *Mover) transfer(ctx context.Context, l stored.Copy, to lease) (Moved, error) {
	m.fault("acquired there")
	if to.Seq() > l.Seq() { // the request of a process that was killed has just arrived
		return m.confirmHere(ctx, l, to.State())
	}
	if err := m.Travel.PutFiles(ctx, l.ID(), to.Epoch(), l.Dir()); err != nil {
		return Moved{}, err
	}
	m.fault("published files")
	if err := m.copyThere(ctx, l.Seq(), to); err != nil {
		return Moved{}, err
	}
	if err := arrive(ctx, m, loopMachine, l, to, to.State().Complete(), m.Server.Events); err != nil {
		return Moved{}, err
	}
	return m.left(ctx, l, Moved{State: to.State()})
}

// confirmHere records what the server has: that the loop left.
func (m *Mover) confirmHere(ctx context.Context, l stored.Copy, there loop.State) (Moved, error) {
	if err := confirm(ctx, m, loopMachine, l, m.Server.Events); err != nil {
		return Moved{}, err
	}
	return m.left(ctx, l, Moved{State: there})
}

// left hands back the trees of a loop that has left.
func (m *Mover) left(ctx context.Context, l stored.Copy, done Moved) (Moved, error) {
	var err error
	done.Kept, err = m.leave(ctx, l)
	return done, err
}

func (m *Mover) leave(ctx context.Context, l stored.Copy) (kept []string, err error) {
	branch, err := m.Local.Leave(ctx, l.LoopLease)
	if branch != "" {
		kept = []string{branch}
	}
	if err != nil {
		err = fmt.Errorf("loop %s has moved; hand back its trees here: %w", l.ID(), err)
	}
	return kept, err
}
