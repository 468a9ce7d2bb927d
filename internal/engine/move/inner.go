package move

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
)

// Plans in the places of tasks, where they differ from the plan around them.

// planAlone refuses a plan that moves only with the one in whose task's place it is run.
func (m *Mover) planAlone(r storedPlan) error {
	if len(r.Spec) == 0 { // there is no record
		return nil
	}
	spec, err := requestOf(r)
	if parent := spec.Parent(); err != nil || parent == "" || parent == m.plan {
		return err
	}
	return &engine.ImmovableError{ID: r.State.ID, Plan: true, Why: "it is run in the place of a task of plan " + spec.Ancestors[0] + ", and moves with that one only"}
}

// holdPlan is the lease of a plan here.
func (m *Mover) holdPlan(ctx context.Context, id string, spec []byte) (engine.PlanLease, error) {
	r, err := m.Plans.Stored.Read(ctx, id)
	if err != nil {
		return nil, err
	}
	l, err := m.Plans.Stored.Acquire(ctx, id, spec, false)
	return m.leasedHere(l, r.Archived, err)
}

// leasedHere is the lease of a plan here, which was archived or not.
func (m *Mover) leasedHere(l engine.PlanLease, archived bool, err error) (engine.PlanLease, error) {
	if err != nil || m.plan == "" {
		return l, err
	}
	return &innerLease{PlanLease: l, plans: m.Plans.Stored, archived: archived, seq: l.Seq()}, nil
}

// innerLease is the lease of a plan in the place of a task. Acquiring it has listed a plan that
// landed, or was archived, again.
type innerLease struct {
	engine.PlanLease
	plans    stored.Plans
	archived bool
	seq      int64
}

// Release archives a plan that was archived and has left, or is as it was, and one whose work
// landed in the plan around it.
func (l *innerLease) Release(ctx context.Context) error {
	s := l.State()
	hide := l.archived && (s.Away() || l.Seq() == l.seq) || s.Accepted != "" && s.Complete()
	err := l.PlanLease.Release(ctx)
	if err == nil && hide {
		err = l.plans.Archive(ctx, s.ID)
	}
	return err
}

// innerFiles adds the content of plans in tasks' places to files, by their paths here.
func (m *Mover) innerFiles(files map[string][]byte, all map[string]engine.InnerPlan) {
	for _, in := range all {
		if len(in.Text) > 0 {
			files[m.Plans.Path(in.ID, in.File)] = in.Text
		}
		m.innerFiles(files, in.Inner)
	}
}
