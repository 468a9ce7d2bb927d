package team

import (
	"context"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
)

// shownFor is how long the budgets of a plan are shown as they were read, so that a list of
// its loops reads them once.
const shownFor = time.Second

// shownBudgets are those that the loops of a plan are paid from.
type shownBudgets struct {
	at  time.Time
	all []money.Balance
}

// RaiseLoopBudget changes what a loop may spend from now on, on whatever machine.
func (e *Engine) RaiseLoopBudget(ctx context.Context, id string, r loop.Raise, by string) error {
	c, err := engine.BudgetCommand(r, by)
	if err == nil {
		_, err = e.Send(ctx, id, c)
	}
	return err
}

// RaisePlanBudget changes what a plan may spend on all machines from now on.
func (e *Engine) RaisePlanBudget(ctx context.Context, id string, r loop.Raise) error {
	return e.Shared.Budgets.Raise(ctx, id, r)
}

// SetPlanBudget bounds what a plan may spend on all machines from now on.
func (e *Engine) SetPlanBudget(ctx context.Context, id string, limit loop.Amounts) error {
	return e.Shared.Budgets.Set(ctx, id, limit)
}

// ForgetPlanBudget removes the budget of a plan with what was used of it.
func (e *Engine) ForgetPlanBudget(ctx context.Context, id string) error {
	return e.Shared.Budgets.Forget(ctx, id)
}

// Budget is how one stands; false: there is none.
func (e *Engine) Budget(ctx context.Context, level loop.BudgetLevel, id string) (money.Balance, bool, error) {
	if level != loop.PlanLevel {
		return e.Engine.Budget(ctx, level, id)
	}
	all, err := e.Shared.Budgets.Balances(ctx, []string{id})
	if err != nil || len(all) == 0 {
		return money.Balance{Level: level, ID: id}, false, err
	}
	return all[0], true, nil
}

// Budgets are those that a loop is paid from: its own, and those of its plan and of the plans
// around that.
func (e *Engine) Budgets(ctx context.Context, id string) ([]money.Balance, error) {
	own, err := e.Engine.Budgets(ctx, id)
	if err != nil {
		return nil, err
	}
	l, err := e.Engine.Show(ctx, id)
	if err != nil || l.State.Parent == "" {
		return own, err
	}
	plans, err := e.budgetsAbove(ctx, l.State.Parent)
	return append(own, plans...), err
}

func (e *Engine) budgetsAbove(ctx context.Context, plan string) ([]money.Balance, error) {
	e.mu.Lock()
	have, found := e.budgets[plan]
	e.mu.Unlock()
	if found && e.Now().Sub(have.at).Abs() < shownFor {
		return have.all, nil
	}
	plans, err := e.Shared.Budgets.Above(ctx, plan)
	if err != nil {
		return nil, err
	}
	all, err := e.Shared.Budgets.Balances(ctx, plans)
	if err == nil {
		e.mu.Lock()
		if e.budgets == nil {
			e.budgets = map[string]shownBudgets{}
		}
		e.budgets[plan] = shownBudgets{e.Now(), all}
		e.mu.Unlock()
	}
	return all, err
}
