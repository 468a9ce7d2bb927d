package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// recallLoops takes back the loops of a plan whose move from here has not arrived.
func (m *Mover) recallLoops(ctx context.Context, s plan.State) error {
	loops, err := m.loopsHere(ctx, s)
	if err == nil {
		_, err = moveLoops(loops, func(loop string) (Moved, error) { return m.with(s.ID).Back(ctx, loop) })
	}
	if err == nil {
		m.fault("took back the loops")
	}
	return err
}

// writeBack writes into the file of a plan that is here what was done on the server.
func (m *Mover) writeBack(ctx context.Context, id string) error {
	l, err := m.Plans.Here.Acquire(ctx, id, nil, false)
	if err != nil {
		return nil //nolint:nilerr // its process, which has it, writes the file
	}
	return errors.Join(m.Plans.Local.WriteBack(ctx, l), l.Release(ctx))
}

// bringPlan moves a plan here.
func (m *Mover) bringPlan(ctx context.Context, b both[plan.State]) (MovedPlan, error) {
	there, s := b.there, b.there.State
	toHere, err := mayCome(ctx, m, m.plans(), s.ID, b)
	if err != nil {
		return MovedPlan{}, err
	}
	if err := m.Plans.Travel.FetchLanded(ctx, s); err != nil {
		return MovedPlan{}, err
	}
	m.fault("fetched what landed")
	from, err := m.acquirePlanThere(ctx, s.ID, nil, toHere)
	if err != nil {
		return MovedPlan{}, err
	}
	defer release(ctx, from)
	if now := from.State(); now.Move == nil {
		if from.Seq() != there.Seq || now.Tip != s.Tip {
			return MovedPlan{}, fmt.Errorf("plan %s continued meanwhile: %w", s.ID, engine.ErrNotNow)
		}
		began := plan.MoveBegan{Stamp: m.stamp(), From: m.There, To: m.Here}
		if _, err := asked(ctx, func(ctx context.Context) (plan.State, error) { return engine.CommitPlan(ctx, from, began) }); err != nil {
			return MovedPlan{}, err
		}
	}
	m.fault("the move of the plan began")
	loops, err := m.loopsThere(ctx, s)
	if err == nil {
		_, err = moveLoops(loops, func(id string) (Moved, error) { return m.with(s.ID).Back(ctx, id) })
	}
	if err != nil {
		return MovedPlan{}, err
	}
	to, err := m.incomingPlan(ctx, there, b.isHere)
	if err != nil {
		return MovedPlan{}, err
	}
	defer func() { _ = to.Release(ctx) }()
	return m.receivePlan(ctx, there, from, to)
}

// receivePlan makes the branch and the file, and lets the plan arrive here.
func (m *Mover) receivePlan(ctx context.Context, there storedPlan, from planLease, to engine.PlanLease) (MovedPlan, error) {
	spec, err := requestOf(there)
	if err != nil {
		return MovedPlan{}, err
	}
	s := there.State
	s.File = m.Plans.Path(s.ID, s.File)
	if err := m.Plans.Local.Arrive(ctx, s, spec.Text); err != nil {
		return MovedPlan{}, err
	}
	m.fault("made the branch and the file")
	if s, err = m.carry(ctx, m.endThere(), from, m.endHere(), to); err != nil {
		return MovedPlan{State: s}, err
	}
	err = m.Plans.Local.WriteBack(ctx, to)
	return MovedPlan{State: to.State()}, err
}

// planMayCome refuses a plan that a worker is about to take, that cannot be read here, or of
// which a loop cannot be moved here now.
func (m *Mover) planMayCome(ctx context.Context, b both[plan.State]) error {
	s := b.there.State
	if !s.AtRest() {
		return fmt.Errorf("plan %s: %w", s.ID, engine.ErrRunning)
	}
	for r, err := range engine.Events(ctx, m.Plans.There.Events, s.ID, b.have.Seq, b.there.Seq) {
		if err == nil {
			_, err = decoded(r)
		}
		if err != nil {
			return err
		}
	}
	loops, err := m.loopsThere(ctx, s)
	if err != nil {
		return err
	}
	for _, id := range loops {
		if err := m.with(s.ID).mayComeBack(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// mayComeBack refuses a loop that cannot be moved here now. Nothing is recorded.
func (m *Mover) mayComeBack(ctx context.Context, id string) error {
	b, err := m.loops().read(ctx, id)
	if err == nil && b.isHere {
		if err = m.sameHere(ctx, b.have, b.there); err == nil && engine.MovedOf(b.have.State) == nil {
			err = fmt.Errorf("%w here, and its plan is not: loop %s", engine.ErrExists, id)
		}
	}
	if err == nil {
		_, err = mayCome(ctx, m, m.loops(), id, b)
	}
	return err
}

// incomingPlan is the lease of the record here, which is made where there is none.
func (m *Mover) incomingPlan(ctx context.Context, there storedPlan, isHere bool) (engine.PlanLease, error) {
	request, err := requestOf(there)
	if err != nil {
		return nil, err
	}
	s := there.State
	s.File = m.Plans.Path(s.ID, s.File)
	request.File, request.Text, request.Task.Root = s.File, nil, m.Plans.Root
	spec, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	if !isHere {
		first := plan.Begin(s.ID, s.File, s.Title, s.Branch, s.Base, s.Rules)
		return m.Plans.Here.CreateMoved(ctx, first, s.Incomplete(m.There, m.Here), spec)
	}
	l, err := m.Plans.Here.Acquire(ctx, s.ID, spec, false)
	if err != nil {
		return nil, err
	}
	if engine.PlanMovedOf(l.State()) == nil {
		return nil, errors.Join(fmt.Errorf("plan %s is here by now: %w", s.ID, engine.ErrNotNow), l.Release(ctx))
	}
	return l, nil
}

// loopsThere are the loops of a plan that the server has, without archived ones.
func (m *Mover) loopsThere(ctx context.Context, s plan.State) ([]string, error) {
	return loopsOf(ctx, s, m.Server.List, func(id string) (bool, error) {
		r, ok, err := known(m.Server.Read(ctx, id))
		return ok && !r.Archived, err
	})
}
