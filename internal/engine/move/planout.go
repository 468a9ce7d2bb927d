package move

import (
	"context"
	"encoding/json"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/plan"
)

// OutPlan moves a plan of this machine to the server with its loops, or completes such a move.
func (m *Mover) OutPlan(ctx context.Context, id string) (MovedPlan, error) {
	r, err := rests(ctx, m, m.plans(), id)
	if err != nil {
		return MovedPlan{State: r.State}, err
	}
	if r.Archived { // since it left
		return MovedPlan{State: r.State, Already: true}, nil
	}
	from, err := m.Plans.Here.Acquire(ctx, id, nil, false)
	if err != nil {
		return MovedPlan{}, err
	}
	defer func() { _ = from.Release(ctx) }()
	there, exists, err := known(m.Plans.There.Read(ctx, id))
	if err != nil {
		return MovedPlan{}, err
	}
	now := from.State()
	done := MovedPlan{State: there.State, Already: now.Away()}
	if exists && !done.Already {
		if err := m.mayArrive(ctx, from, there); err != nil {
			return MovedPlan{}, err
		}
	}
	if !done.Already && (!exists || there.Seq <= from.Seq()) {
		if err := m.beginPlan(ctx, from, exists); err != nil {
			return MovedPlan{}, err
		}
	}
	loops, err := m.loopsHere(ctx, from.State())
	if err != nil {
		return done, err
	}
	// Of loops that have left, the trees are handed back.
	done.Kept, err = moveLoops(loops, func(id string) (Moved, error) { return m.with(from.ID()).Out(ctx, id) })
	if err != nil || done.Already {
		return done, err
	}
	to, err := m.planTarget(ctx, from, there, exists)
	if err != nil {
		return done, err
	}
	defer release(ctx, to)
	done.State, err = m.carry(ctx, m.endHere(), from, m.endThere(), to)
	return done, err
}

// planRestsHere carries out what was sent to a plan; one whose process died is refused.
func (m *Mover) planRestsHere(ctx context.Context, r storedPlan) error {
	if !r.State.AtRest() {
		return &CutOffError{ID: r.State.ID}
	}
	unread, err := m.Plans.Here.Unread(ctx, r.State.ID)
	if err == nil && unread {
		err = m.Plans.Local.Rest(ctx, r.State.ID)
	}
	return err
}

// CutOffError refuses a plan whose process died: another one has to end first what it began.
type CutOffError struct{ ID string }

func (e *CutOffError) Error() string {
	return fmt.Sprintf("plan %s was cut off while it ran", e.ID)
}

// mayArrive refuses another plan of the same id on the server, and one that continued there.
func (m *Mover) mayArrive(ctx context.Context, from planLease, there storedPlan) error {
	here := storedPlan{State: from.State(), Seq: from.Seq()}
	if err := m.samePlan(ctx, here, there); err != nil {
		return err
	}
	s := there.State
	switch {
	case there.Seq > here.Seq && here.State.Move != nil:
		return nil // it has arrived, and this machine was not told
	case there.Seq > here.Seq, s.Partial == nil && s.Move == nil:
		return fmt.Errorf("%w on the other side, where it continued", engine.ErrExists)
	case there.Archived:
		return fmt.Errorf("%w on the server, where it is archived", engine.ErrExists)
	}
	return nil
}

// beginPlan checks everything that the move needs, pushes the work and records the intent.
func (m *Mover) beginPlan(ctx context.Context, from engine.PlanLease, exists bool) error {
	s := from.State()
	spec, err := m.requestThere(ctx, s)
	if err != nil {
		return err
	}
	if s.Move != nil {
		return m.Plans.Travel.OfferPlan(ctx, spec, s, true)
	}
	if err := m.planFits(ctx, s, spec); err != nil {
		return err
	}
	loops, err := m.loopsHere(ctx, s)
	if err != nil {
		return err
	}
	for _, id := range loops {
		if err := m.with(s.ID).mayLeave(ctx, id); err != nil {
			return err
		}
	}
	if err := m.Plans.Travel.OfferPlan(ctx, spec, s, exists); err != nil {
		return err
	}
	m.fault("offered the plan")
	_, err = engine.CommitPlan(ctx, from, plan.MoveBegan{Stamp: m.stamp(), From: m.Here, To: m.There})
	m.fault("the move of the plan began")
	return err
}

// mayLeave pushes the work of a loop that can move. Nothing is recorded.
func (m *Mover) mayLeave(ctx context.Context, id string) error {
	if _, err := rests(ctx, m, m.loops(), id); err != nil {
		return err
	}
	l, err := m.held(ctx, id)
	if err != nil {
		return err
	}
	defer func() { _ = l.Release(ctx) }()
	if s := l.State(); s.Away() {
		return nil
	}
	first, err := m.first(ctx, id)
	if err != nil {
		return err
	}
	_, exists, err := m.thereFor(ctx, l, first)
	if err != nil {
		return err
	}
	return m.offer(ctx, l, first, exists)
}

// planTarget is the lease of the record on the server, which is made where there is none.
func (m *Mover) planTarget(ctx context.Context, from planLease, there storedPlan, exists bool) (planLease, error) {
	s := from.State()
	request, err := m.requestThere(ctx, s)
	if err != nil {
		return nil, err
	}
	spec, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	switch {
	case exists && there.Seq > from.Seq():
		return m.acquirePlanThere(ctx, s.ID, nil, false)
	case exists: // only a move from here holds a record from which nothing continues
		return m.acquirePlanThere(ctx, s.ID, spec, true)
	}
	s.File = request.File
	return asked(ctx, func(ctx context.Context) (planLease, error) {
		return m.Plans.There.Create(ctx, s.Incomplete(m.Here, m.There), spec)
	})
}

// requestThere is the request of a plan as workers get it: with the content of its file.
func (m *Mover) requestThere(ctx context.Context, s plan.State) (spec engine.PlanSpec, err error) {
	r, err := m.Plans.Here.Read(ctx, s.ID)
	if err != nil {
		return spec, err
	}
	if spec, err = requestOf(r); err != nil {
		return spec, err
	}
	if len(spec.Ancestors) > 0 {
		return spec, &engine.ImmovableError{ID: s.ID, Plan: true, Why: "it is run in the place of a task of " + spec.Ancestors[len(spec.Ancestors)-1]}
	}
	spec.Text, err = m.Plans.Local.Text(ctx, s)
	spec.File, spec.Rules = m.Plans.Name(s.File), s.Rules
	return spec, err
}

// planFits refuses a plan whose record has a part that no server takes, or that this version
// cannot read.
func (m *Mover) planFits(ctx context.Context, s plan.State, spec engine.PlanSpec) error {
	size := 0
	for r, err := range engine.Events(ctx, m.Plans.Here.Events, s.ID, 0, engine.Newest) {
		if err == nil {
			_, err = decoded(r)
		}
		if err != nil {
			return err
		}
		size = max(size, len(r.Name)+len(r.Data))
	}
	for _, part := range []any{s, spec} {
		data, err := json.Marshal(part)
		if err != nil {
			return err
		}
		size = max(size, len(data)+spare)
	}
	if size > mostBytes {
		return &engine.ImmovableError{ID: s.ID, Plan: true, Why: fmt.Sprintf("a part of its record is larger than the %d bytes that a server takes", mostBytes)}
	}
	return nil
}

// loopsHere are the loops of a plan that this machine has, without archived ones.
func (m *Mover) loopsHere(ctx context.Context, s plan.State) ([]string, error) {
	return loopsOf(ctx, s, stored.Loops{Store: m.Copies.Store}.List, func(id string) (bool, error) {
		r, ok, err := m.Known(ctx, id)
		return ok && (!r.Archived || engine.MovedOf(r.State) != nil), err
	})
}
