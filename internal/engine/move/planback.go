package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// BackPlan moves a plan of the server to this machine with its loops, completes such a move,
// or takes back a move from here that has not arrived there.
func (m *Mover) BackPlan(ctx context.Context, id string) (MovedPlan, error) {
	have, isHere, err := m.KnownPlan(ctx, id)
	if err != nil {
		return MovedPlan{}, err
	}
	there, isThere, err := known(m.Plans.There.Read(ctx, id))
	if err != nil {
		return MovedPlan{}, err
	}
	if s := have.State; isHere && s.Partial == nil && s.Move != nil && !s.Away() {
		if !s.Move.To.Same(m.There) {
			return MovedPlan{}, engine.PlanMovedOf(s)
		}
		done, arrived, err := m.takePlanBack(ctx, id, there, isThere)
		if err != nil || !arrived {
			return done, err
		}
		if have, isHere, err = m.KnownPlan(ctx, id); err != nil {
			return MovedPlan{}, err
		}
		if there, isThere, err = known(m.Plans.There.Read(ctx, id)); err != nil {
			return MovedPlan{}, err
		}
	}
	switch {
	case !isThere && isHere && engine.PlanMovedOf(have.State) == nil:
		return MovedPlan{State: have.State, Already: true}, nil
	case !isThere:
		return MovedPlan{}, fmt.Errorf("%w on %s: %s", engine.ErrNotFound, m.There, id)
	}
	if isHere {
		if err := m.samePlan(ctx, have, there); err != nil {
			return MovedPlan{}, err
		}
	}
	if isHere && engine.PlanMovedOf(have.State) == nil {
		return m.planIsHere(ctx, have, there)
	}
	return m.bringPlan(ctx, there, have, isHere)
}

// takePlanBack gives up a move from here that has not arrived, and moves back the loops that
// have. Where the plan has arrived, this machine is told.
func (m *Mover) takePlanBack(ctx context.Context, id string, there storedPlan, isThere bool) (done MovedPlan, arrived bool, err error) {
	l, err := m.Plans.Here.Acquire(ctx, id, nil, false)
	if err != nil {
		return done, false, err
	}
	defer func() { _ = l.Release(ctx) }()
	if isThere { // as it is once no request of a process that was killed can change it
		if there.State.Partial != nil {
			fence, err := m.acquirePlanThere(ctx, id, nil, true)
			if err != nil {
				return done, false, err
			}
			release(ctx, fence)
		}
		if there, err = m.Plans.There.Read(ctx, id); err != nil {
			return done, false, err
		}
		if there.Seq > l.Seq() {
			return done, true, confirm(ctx, m, planMachine, l, m.Plans.There.Events)
		}
	} else if _, isThere, err = known(m.Plans.There.Read(ctx, id)); err != nil || isThere {
		return done, false, errors.Join(err, fmt.Errorf("plan %s: %w", id, engine.ErrNotNow))
	}
	loops, err := m.loopsHere(ctx, l.State())
	if err == nil {
		_, err = moveLoops(loops, func(loop string) (Moved, error) { return m.with(id).Back(ctx, loop) })
	}
	if err != nil {
		return done, false, err
	}
	m.fault("took back the loops")
	s, err := engine.CommitPlan(ctx, l, plan.Arrived{Stamp: m.stamp()})
	return MovedPlan{State: s, TakenBack: true}, false, err
}

// planIsHere is a plan that is here already. The server may not have been told, and the file
// may lack what was done there.
func (m *Mover) planIsHere(ctx context.Context, have, there storedPlan) (MovedPlan, error) {
	done := MovedPlan{State: have.State, Already: true}
	if there.Seq > have.Seq {
		return done, fmt.Errorf("%w here, and it continued in both places", engine.ErrExists)
	}
	if s := there.State; s.Partial != nil || s.Away() || s.Move == nil {
		return done, nil
	}
	from, err := m.acquirePlanThere(ctx, have.State.ID, nil, true)
	if err != nil {
		return done, err
	}
	defer release(ctx, from)
	if err := confirm(ctx, m, planMachine, from, m.Plans.Here.Events); err != nil {
		return done, err
	}
	l, err := m.Plans.Here.Acquire(ctx, have.State.ID, nil, false)
	if err != nil {
		return done, nil // its process, which has it, writes the file
	}
	return done, errors.Join(m.Plans.Local.WriteBack(ctx, l), l.Release(ctx))
}

// bringPlan moves a plan here. have is the record that is here, where there is one.
func (m *Mover) bringPlan(ctx context.Context, there, have storedPlan, isHere bool) (MovedPlan, error) {
	s := there.State
	toHere, err := m.planMayCome(ctx, there, have, isHere)
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
	to, err := m.incomingPlan(ctx, there, isHere)
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

// planMayCome refuses a plan of the server that cannot be moved here now, or a loop of it.
// toHere: its move to here began.
func (m *Mover) planMayCome(ctx context.Context, there, have storedPlan, isHere bool) (toHere bool, err error) {
	s := there.State
	toHere = s.Partial == nil && s.Move != nil && !s.Away() && s.Move.To.Same(m.Here)
	switch moved := engine.PlanMovedOf(s); {
	case s.Partial != nil:
		return toHere, &engine.MovedError{ID: s.ID, Plan: true, To: m.There, Moving: true}
	case toHere:
		return true, nil
	case moved != nil:
		return toHere, moved
	case s.Immovable() != "":
		return toHere, &engine.ImmovableError{ID: s.ID, Plan: true, Why: s.Immovable()}
	case there.Archived:
		return toHere, &engine.ImmovableError{ID: s.ID, Plan: true, Why: "it is archived"}
	case there.Live, !s.AtRest(): // or the next worker takes it
		return toHere, fmt.Errorf("plan %s: %w", s.ID, engine.ErrRunning)
	}
	after := int64(0)
	if isHere {
		after = have.Seq
	}
	for r, err := range engine.Events(ctx, m.Plans.There.Events, s.ID, after, there.Seq) {
		if err == nil {
			_, err = decoded(r)
		}
		if err != nil {
			return toHere, err
		}
	}
	loops, err := m.loopsThere(ctx, s)
	if err != nil {
		return toHere, err
	}
	for _, id := range loops {
		if err := m.with(s.ID).mayComeBack(ctx, id); err != nil {
			return toHere, err
		}
	}
	return toHere, nil
}

// mayComeBack refuses a loop that cannot be moved here now. Nothing is recorded.
func (m *Mover) mayComeBack(ctx context.Context, id string) error {
	have, isHere, err := m.Known(ctx, id)
	if err != nil {
		return err
	}
	there, err := m.Server.Read(ctx, id)
	if err != nil {
		return err
	}
	if isHere {
		if err := m.sameHere(ctx, have, there); err != nil {
			return err
		}
		if engine.MovedOf(have.State) == nil {
			return fmt.Errorf("%w here, and its plan is not: loop %s", engine.ErrExists, id)
		}
	}
	_, err = m.mayCome(ctx, there, have, isHere)
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
