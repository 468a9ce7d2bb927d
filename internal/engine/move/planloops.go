package move

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// with returns the mover of the loops of a plan.
func (m *Mover) with(id string) *Mover {
	with := *m
	with.plan = id
	return &with
}

// loopsOut moves the loops of a plan to the server; of those that have left, the trees are
// handed back.
func (m *Mover) loopsOut(ctx context.Context, s plan.State) (kept []string, err error) {
	return m.eachHere(ctx, s, (*Mover).Out)
}

// recallLoops takes back the loops of a plan whose move from here has not arrived.
func (m *Mover) recallLoops(ctx context.Context, s plan.State) error {
	_, err := m.eachHere(ctx, s, (*Mover).Back)
	if err == nil {
		m.fault("took back the loops")
	}
	return err
}

// abandonLoops continues the loops of a plan here.
func (m *Mover) abandonLoops(ctx context.Context, s plan.State) (kept []string, err error) {
	return m.eachHere(ctx, s, (*Mover).Abandon)
}

// loopsBack moves the loops of a plan here.
func (m *Mover) loopsBack(ctx context.Context, s plan.State) error {
	loops, err := m.loopsThere(ctx, s)
	if err == nil {
		_, err = m.with(s.ID).each(ctx, loops, (*Mover).Back)
	}
	return err
}

// eachHere moves the loops of a plan that this machine has.
func (m *Mover) eachHere(ctx context.Context, s plan.State, move func(m *Mover, ctx context.Context, id string) (Moved, error)) (kept []string, err error) {
	loops, err := m.loopsHere(ctx, s)
	if err != nil {
		return nil, err
	}
	return m.with(s.ID).each(ctx, loops, move)
}

// each moves loops, and returns the branches with what was not committed.
func (m *Mover) each(ctx context.Context, ids []string, move func(m *Mover, ctx context.Context, id string) (Moved, error)) (kept []string, err error) {
	for _, id := range ids {
		done, err := move(m, ctx, id)
		if errors.Is(err, engine.ErrNotFound) { // the record of its plan names it, and it never began
			continue
		}
		kept = append(kept, done.Kept...)
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// loopsMayLeave pushes the work of the loops of a plan, and refuses where one cannot move. No
// intent is recorded.
func (m *Mover) loopsMayLeave(ctx context.Context, s plan.State) error {
	loops, err := m.loopsHere(ctx, s)
	for _, id := range loops {
		if err == nil {
			err = m.with(s.ID).mayLeave(ctx, id)
		}
	}
	return err
}

func (m *Mover) mayLeave(ctx context.Context, id string) error {
	k := m.loops()
	if r, err := rests(ctx, m, k, id); err != nil || r.State.Away() {
		return err
	}
	l, err := k.hold(ctx, id, nil)
	if err != nil {
		return err
	}
	defer func() { _ = l.Release(ctx) }()
	there, err := mayArrive(ctx, m, k, l)
	if err != nil {
		return err
	}
	return k.offer(ctx, l, there.exists)
}

// loopsMayCome refuses a plan of which a loop cannot be moved here now. Nothing is recorded.
func (m *Mover) loopsMayCome(ctx context.Context, s plan.State) error {
	loops, err := m.loopsThere(ctx, s)
	for _, id := range loops {
		if err == nil {
			err = m.with(s.ID).mayComeBack(ctx, id)
		}
	}
	return err
}

func (m *Mover) mayComeBack(ctx context.Context, id string) error {
	b, err := m.loops().read(ctx, id)
	if err == nil && b.isHere {
		if err = m.sameLoop(ctx, b.have, b.there); err == nil && engine.MovedOf(b.have.State) == nil {
			err = fmt.Errorf("%w here, and its plan is not: loop %s", engine.ErrExists, id)
		}
	}
	if err == nil {
		_, err = mayCome(ctx, m, m.loops(), id, b)
	}
	return err
}

// loopsOf are the loops of a plan that move with it: those that its record names, and those of
// a list of its store.
func loopsOf(ctx context.Context, s plan.State, list func(context.Context, engine.Filter) ([]engine.Stored[loop.State], error), moves func(id string) (bool, error)) (ids []string, err error) {
	all, err := list(ctx, engine.Filter{Parent: s.ID})
	if err != nil {
		return nil, err
	}
	ids = s.Loops() // a list names a new one a moment late
	for _, l := range all {
		ids = append(ids, l.State.ID)
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		is, bad := moves(id)
		err = errors.Join(err, bad)
		return !is
	})
	return ids, err
}

// loopsHere are the loops of a plan that this machine has, without archived ones.
func (m *Mover) loopsHere(ctx context.Context, s plan.State) ([]string, error) {
	return loopsOf(ctx, s, stored.LoopsOf(m.Stored.Store).List, func(id string) (bool, error) {
		r, ok, err := known(m.Stored.Read(ctx, id))
		return ok && (!r.Archived || engine.MovedOf(r.State) != nil), err
	})
}

// loopsThere are the loops of a plan that the server has, without archived ones.
func (m *Mover) loopsThere(ctx context.Context, s plan.State) ([]string, error) {
	return loopsOf(ctx, s, m.Server.List, func(id string) (bool, error) {
		r, ok, err := known(m.Server.Read(ctx, id))
		return ok && !r.Archived, err
	})
}
