package cli

import (
	"context"
	"errors"

	"ralph/internal/cli/project"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// budgetPlan sets what all loops of a plan may spend together. A plan that had
// ended, or is started fresh, has spent nothing. Tasks of any other that have begun
// may spend what is asked for now.
func (a *app) budgetPlan(ctx context.Context, p *project.Project, id string, task loop.Amounts, fresh bool) error {
	have, err := p.Store.Plan(ctx, id)
	if fresh || errors.Is(err, store.ErrNoPlan) || err == nil && have.State.Status.Terminal() {
		err = p.Engine.ForgetBudget(ctx, loop.PlanLevel, id)
	} else if err == nil && task.Any() {
		err = a.raiseTasks(ctx, p, have.State, raised{level: loop.TaskLevel, amount: task})
	}
	if err != nil {
		return err
	}
	limit := p.Settings.BudgetOf(loop.PlanLevel)
	if !limit.Any() {
		return nil
	}
	return p.Engine.SetBudget(ctx, loop.PlanLevel, id, limit)
}
