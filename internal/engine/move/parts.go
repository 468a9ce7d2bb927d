package move

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// parts are what moves with a plan: its loops, and the plans in the places of its tasks, which
// have parts of their own.
type parts struct{ loops, plans []string }

// act moves a run, or checks that it can move.
type act[S any] func(m *Mover, ctx context.Context, id string) (Outcome[S], error)

// with returns the mover of the parts of a plan.
func (m *Mover) with(id string) *Mover {
	with := *m
	with.plan = id
	return &with
}

// partsOut moves the parts of a plan to the server; of loops that have left, the trees are
// handed back.
func (m *Mover) partsOut(ctx context.Context, s plan.State) (kept []string, err error) {
	return m.eachHere(ctx, s, (*Mover).Out, (*Mover).OutPlan)
}

// recallParts takes back the parts of a plan whose move from here has not arrived.
func (m *Mover) recallParts(ctx context.Context, s plan.State) error {
	_, err := m.eachHere(ctx, s, (*Mover).Back, (*Mover).BackPlan)
	if err == nil {
		m.fault("took back the parts")
	}
	return err
}

// abandonParts continues the parts of a plan here.
func (m *Mover) abandonParts(ctx context.Context, s plan.State) (kept []string, err error) {
	return m.eachHere(ctx, s, (*Mover).Abandon, (*Mover).AbandonPlan)
}

// abandonPartsThere continues the parts of a plan on the server.
func (m *Mover) abandonPartsThere(ctx context.Context, s plan.State) error {
	_, err := m.eachThere(ctx, s, (*Mover).AbandonClone, (*Mover).AbandonClonePlan)
	if err == nil {
		m.fault("continued the parts")
	}
	return err
}

// partsBack moves the parts of a plan here.
func (m *Mover) partsBack(ctx context.Context, s plan.State) error {
	_, err := m.eachThere(ctx, s, (*Mover).Back, (*Mover).BackPlan)
	return err
}

// eachHere moves the parts of a plan that this machine has.
func (m *Mover) eachHere(ctx context.Context, s plan.State, oneLoop act[loop.State], onePlan act[plan.State]) (kept []string, err error) {
	all, err := m.partsHere(ctx, s)
	if err != nil {
		return nil, err
	}
	return m.with(s.ID).each(ctx, all, oneLoop, onePlan)
}

// eachThere moves the parts of a plan that the server has.
func (m *Mover) eachThere(ctx context.Context, s plan.State, oneLoop act[loop.State], onePlan act[plan.State]) (kept []string, err error) {
	all, err := m.partsThere(ctx, s)
	if err != nil {
		return nil, err
	}
	return m.with(s.ID).each(ctx, all, oneLoop, onePlan)
}

// each moves parts, and returns the branches with what was not committed.
func (m *Mover) each(ctx context.Context, all parts, oneLoop act[loop.State], onePlan act[plan.State]) (kept []string, err error) {
	if kept, err = every(ctx, m, all.loops, oneLoop); err != nil {
		return kept, err
	}
	more, err := every(ctx, m, all.plans, onePlan)
	return append(kept, more...), err
}

func every[S any](ctx context.Context, m *Mover, ids []string, move act[S]) (kept []string, err error) {
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

// partsMayLeave pushes the work of the parts of a plan, and refuses where one cannot move. No
// intent is recorded.
func (m *Mover) partsMayLeave(ctx context.Context, s plan.State) error {
	_, err := m.eachHere(ctx, s, func(m *Mover, ctx context.Context, id string) (Moved, error) {
		return Moved{}, mayLeave(ctx, m, m.loops(), id)
	}, func(m *Mover, ctx context.Context, id string) (MovedPlan, error) {
		return MovedPlan{}, mayLeave(ctx, m, m.plans(), id)
	})
	return err
}

func mayLeave[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string) error {
	if r, err := rests(ctx, m, k, id); err != nil || k.transit(&r.State).Away() {
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

// partsMayCome refuses a plan of which a part cannot be moved here now. Nothing is recorded.
func (m *Mover) partsMayCome(ctx context.Context, s plan.State) error {
	_, err := m.eachThere(ctx, s, func(m *Mover, ctx context.Context, id string) (Moved, error) {
		return Moved{}, mayComeBack(ctx, m, m.loops(), id)
	}, func(m *Mover, ctx context.Context, id string) (MovedPlan, error) {
		return MovedPlan{}, mayComeBack(ctx, m, m.plans(), id)
	})
	return err
}

func mayComeBack[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], id string) error {
	b, err := k.read(ctx, id)
	if err == nil && b.isHere {
		if err = k.same(ctx, b.have, b.there); err == nil && k.moved(b.have.State) == nil {
			err = fmt.Errorf("%w here, and its plan is not: %s %s", engine.ErrExists, k.noun, id)
		}
	}
	if err == nil {
		_, err = mayCome(ctx, m, k, id, b)
	}
	return err
}

// partsHere are the parts of a plan that this machine has.
func (m *Mover) partsHere(ctx context.Context, s plan.State) (all parts, err error) {
	loops := source[loop.State]{loopMachine.id, m.Stored.Read, stored.LoopsOf(m.Stored.Store).List}
	all.loops, err = loops.partsOf(ctx, s.ID, s.Loops(), func(r engine.Stored[loop.State]) bool {
		return !r.Archived || engine.MovedOf(r.State) != nil
	})
	if err == nil {
		all.plans, err = innerOf(ctx, m.Plans.Stored, s)
	}
	return all, err
}

// partsThere are the parts of a plan that the server has.
func (m *Mover) partsThere(ctx context.Context, s plan.State) (all parts, err error) {
	loops := source[loop.State]{loopMachine.id, m.Server.Read, m.Server.List}
	all.loops, err = loops.partsOf(ctx, s.ID, s.Loops(), func(r engine.Stored[loop.State]) bool { return !r.Archived })
	if err == nil {
		all.plans, err = innerOf(ctx, m.Plans.Server, s)
	}
	return all, err
}

// source is a store in which parts of a plan are looked for.
type source[S any] struct {
	id   func(S) string
	read func(ctx context.Context, id string) (engine.Stored[S], error)
	list func(ctx context.Context, f engine.Filter) ([]engine.Stored[S], error)
}

// innerOf are the plans in the places of a plan's tasks, also those that were archived, as each
// is that landed. One that was run by itself since is none.
func innerOf(ctx context.Context, in interface {
	Read(ctx context.Context, id string) (storedPlan, error)
	List(ctx context.Context, f engine.Filter) ([]storedPlan, error)
}, s plan.State,
) ([]string, error) {
	plans := source[plan.State]{planMachine.id, in.Read, in.List}
	return plans.partsOf(ctx, s.ID, s.Inner(), func(r storedPlan) bool {
		return engine.PlanTraits(r).Parent == s.ID
	})
}

// partsOf are the parts of a plan that go with it: of those that its record names, and those of
// a list, which has no archived ones.
func (from source[S]) partsOf(ctx context.Context, id string, named []string, goes func(engine.Stored[S]) bool) ([]string, error) {
	all, err := from.list(ctx, engine.Filter{Parent: id})
	if err != nil {
		return nil, err
	}
	ids := slices.Clone(named) // a list names a new one a moment late
	for _, r := range all {
		ids = append(ids, from.id(r.State))
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		r, ok, bad := known(from.read(ctx, id))
		err = errors.Join(err, bad)
		return !ok || !goes(r)
	})
	return ids, err
}
