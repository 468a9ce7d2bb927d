package planner

import (
	"context"
	"errors"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// usualBudget is what the plan of a file may make of attempts where no number is
// given, with the plans in its tasks' places; 0 where it cannot be read or is its
// own ancestor, which ends it at once.
func usualBudget(path string, above []string) int {
	id, b := IDOf(path), newBook(path, "")
	if slices.Contains(above, id) || b.load() != nil {
		return 0
	}
	n := plan.UsualBudget(len(b.plan.Tasks))
	for _, t := range b.plan.Tasks {
		if t.SubPlan == "" {
			continue
		}
		if inner, err := ChildFile(path, t.SubPlan); err == nil {
			n += usualBudget(inner, append(slices.Clone(above), id))
		}
	}
	return n
}

// madeBefore is how many attempts a child has made that is taken up where it
// stands, and its newest event; one that has ended, or begins anew, counts from
// nothing.
func (r *run) madeBefore(ctx context.Context, task string, spec engine.PlanSpec) (attempts int, mark int64, err error) {
	rec, err := r.Store.Plan(ctx, spec.ID)
	if errors.Is(err, store.ErrNoPlan) {
		return 0, 0, nil
	}
	if err != nil || rec.State.Status.Terminal() {
		return 0, rec.Seq, err
	}
	how, err := r.takeUp(ctx, task, spec)
	if how.Fresh || err != nil {
		return 0, rec.Seq, err
	}
	return rec.State.Attempts, rec.Seq, nil
}
