package local

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/loop"
	"ralph/internal/money"
)

// SetBudget bounds what a loop, a plan or a session may spend from now on.
// Usage so far is kept. A plan's budget is kept under its id, which is the
// Parent of its loops.
func (e *Engine) SetBudget(ctx context.Context, level loop.BudgetLevel, id string, limit loop.Amounts) error {
	return situation.Of(e.store.SetBudget(ctx, level, id, limit))
}

// ForgetBudget removes a budget with its usage: its plan begins anew.
func (e *Engine) ForgetBudget(ctx context.Context, level loop.BudgetLevel, id string) error {
	return situation.Of(e.store.ForgetBudget(ctx, level, id))
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
