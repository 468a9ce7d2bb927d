package engine

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// Purse is how an engine keeps budgets.
type Purse interface {
	// SetBudget bounds what a loop, a plan or a session may spend from now on;
	// what was used stays used. A plan's budget is kept under the id that its
	// loops have as their Parent.
	SetBudget(ctx context.Context, level loop.BudgetLevel, id string, limit loop.Amounts) error
	// ForgetBudget removes one with what was used of it: what it was for begins
	// anew.
	ForgetBudget(ctx context.Context, level loop.BudgetLevel, id string) error
	// Budget is how one stands; false: there is none.
	Budget(ctx context.Context, level loop.BudgetLevel, id string) (money.Balance, bool, error)
	// Budgets are those that a loop is paid from.
	Budgets(ctx context.Context, id string) ([]money.Balance, error)
	// PlanSpent is what the reviews of a plan itself have cost, by reviewer. The
	// reviews that are gates of its tasks stand with their loops.
	PlanSpent(ctx context.Context, id string) ([]loop.AgentSpent, error)
}
