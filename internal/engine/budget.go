package engine

import (
	"context"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// Budgets is how an engine keeps budgets.
type Budgets interface {
	// RaiseLoopBudget changes what a loop may spend from now on, and RaisePlanBudget a plan,
	// whose budget is kept under the id that its loops have as their Parent. SetPlanBudget
	// replaces it. Usage so far is kept.
	RaiseLoopBudget(ctx context.Context, id string, r loop.Raise, by string) error
	RaisePlanBudget(ctx context.Context, id string, r loop.Raise) error
	SetPlanBudget(ctx context.Context, id string, limit loop.Amounts) error
	// ForgetPlanBudget removes a budget with its usage, for a plan that begins anew.
	ForgetPlanBudget(ctx context.Context, id string) error
	// Budget is how one stands; false: there is none.
	Budget(ctx context.Context, level loop.BudgetLevel, id string) (money.Balance, bool, error)
	// Budgets are those that a loop is paid from.
	Budgets(ctx context.Context, id string) ([]money.Balance, error)
	// PlanSpent returns the cost of the reviews of a plan itself, by reviewer.
	// Reviews that are gates of its tasks are recorded with their loops.
	PlanSpent(ctx context.Context, id string) ([]loop.AgentSpent, error)
}

// Ledger pays for a review that belongs to no loop. The lease of a plan is one.
type Ledger interface {
	// ReserveReview reserves what reviewers may use, or refuses with a *money.RefusedError;
	// wall is how long they may take, 0 is no bound. Unlike those of a loop, several may be
	// under way, and no transition ends them: review is the number to settle.
	ReserveReview(ctx context.Context, r Reserve) (review int64, wall time.Duration, err error)
	// Settle replaces the reservation by the actual usage.
	Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error
}
