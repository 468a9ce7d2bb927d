package local

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/loop"
	"ralph/internal/money"
)

// RaiseLoopBudget changes what a loop may spend from now on: its process records it, or else
// this one, which leaves the loop as it is.
func (e *Engine) RaiseLoopBudget(ctx context.Context, id string, r loop.Raise, by string) error {
	c, err := engine.BudgetCommand(r, by)
	if err != nil {
		return err
	}
	l, err := e.loops.Read(ctx, id)
	if err != nil {
		return situation.Of(err)
	}
	if !l.Live && l.State.Mode != loop.AgentDriven && !l.State.Status.Terminal() {
		if err = e.recordBudget(ctx, id, c); !errors.Is(err, engine.ErrRunning) {
			return err
		}
	}
	_, err = e.Send(ctx, id, c)
	return err
}

// recordBudget records the command under a lease that is held for a moment.
func (e *Engine) recordBudget(ctx context.Context, id string, c engine.Command) error {
	lease, err := e.loops.Acquire(ctx, id, nil, false)
	if err != nil {
		return situation.Of(err)
	}
	event, err := loop.EventOf(lease.State(), c, e.stamp())
	if err == nil {
		_, err = engine.CommitLoop(ctx, lease, event)
	}
	return errors.Join(err, situation.Of(lease.Release(context.WithoutCancel(ctx))))
}

// RaisePlanBudget changes what a plan may spend from now on.
func (e *Engine) RaisePlanBudget(ctx context.Context, id string, r loop.Raise) error {
	return situation.Of(e.store.RaiseBudget(ctx, loop.PlanLevel, id, r))
}

// SetPlanBudget bounds what a plan may spend from now on.
func (e *Engine) SetPlanBudget(ctx context.Context, id string, limit loop.Amounts) error {
	return situation.Of(e.store.SetBudget(ctx, loop.PlanLevel, id, limit))
}

// ForgetPlanBudget removes the budget of a plan that begins anew, with its usage.
func (e *Engine) ForgetPlanBudget(ctx context.Context, id string) error {
	return situation.Of(e.store.ForgetBudget(ctx, loop.PlanLevel, id))
}

// Budget is how one stands; false: there is none.
func (e *Engine) Budget(ctx context.Context, level loop.BudgetLevel, id string) (money.Balance, bool, error) {
	b, found, err := e.store.Balance(ctx, level, id)
	return b, found, situation.Of(err)
}

// Budgets are those that a loop is paid from.
func (e *Engine) Budgets(ctx context.Context, id string) ([]money.Balance, error) {
	all, err := e.store.Balances(ctx, id, e.session.ID)
	return all, situation.Of(err)
}

// PlanSpent returns the cost of the reviews of a plan itself.
func (e *Engine) PlanSpent(ctx context.Context, id string) ([]loop.AgentSpent, error) {
	all, err := e.store.Plans().Spent(ctx, id)
	return all, situation.Of(err)
}

var _ engine.Budgets = (*Engine)(nil)
