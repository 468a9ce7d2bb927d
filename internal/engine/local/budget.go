package local

import (
	"context"
	"errors"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store"
)

// begin records that the agent is about to be started, and reserves what it may
// use. False: a budget has no room, and the consequence is recorded.
func (r *runner) begin(ctx context.Context, began loop.AttemptBegan, a *loop.Action) (bool, error) {
	reserve := store.Reserve{Session: r.session, Until: r.now().Add(worker.LongestRun)}
	if a.Timeout.Hard > 0 {
		reserve.Until = r.now().Add(a.Timeout.Hard)
	}
	var wall time.Duration
	err := r.commit(ctx, func(ctx context.Context, next loop.State, events []loop.Event, _ ...int64) (err error) {
		wall, err = r.lease.Begin(ctx, next, events, reserve)
		return err
	}, []loop.Event{began})
	return r.granted(ctx, a, wall, err)
}

// consult reserves what the reviewers may use, as begin does for the agent.
func (r *runner) consult(ctx context.Context, a *loop.Action) (bool, error) {
	if !r.worker.Consults(r.state, *a) {
		return true, nil
	}
	if err := r.warnBudgets(ctx); err != nil {
		return false, err
	}
	wall, err := r.lease.Hold(context.WithoutCancel(ctx), store.Reserve{Session: r.session, Until: r.now().Add(worker.LongestRun)})
	return r.granted(ctx, a, wall, err)
}

// granted handles the decision of the budgets.
func (r *runner) granted(ctx context.Context, a *loop.Action, wall time.Duration, err error) (bool, error) {
	if refused, ok := errors.AsType[*money.RefusedError](err); ok {
		return false, r.refused(ctx, refused)
	}
	a.Timeout = worker.Within(a.Timeout, wall)
	return err == nil, err
}

// refused records that a budget has no room: it waits for reservations of
// others; a budget that is used up ends the loop, or pauses it.
func (r *runner) refused(ctx context.Context, e *money.RefusedError) error {
	if e.Verdict == money.Busy {
		return r.apply(ctx, loop.Held{
			Stamp: r.stamp(), Reason: loop.Budget, Until: r.now().Add(worker.LongestRun).Round(0), Message: e.Error(),
		})
	}
	return r.apply(ctx, loop.BudgetSpent{Stamp: r.stamp(), Budget: e.Name(), Message: e.Error(), Pause: r.state.BudgetPauses})
}

// room reports whether a wait for a budget is over.
func (r *runner) room(ctx context.Context) (bool, error) {
	refused, is := errors.AsType[*money.RefusedError](r.lease.Room(ctx, r.session.ID))
	if is && refused.Verdict == money.Busy {
		return false, nil
	}
	return true, r.apply(ctx, loop.Woke{Stamp: r.stamp()})
}

// warnBudgets reports once of each budget that most of it is used.
func (r *runner) warnBudgets(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	all, err := r.lease.Balances(ctx, r.session.ID)
	if err != nil {
		return err
	}
	for _, b := range all {
		for _, w := range b.Warnings() {
			if slices.Contains(r.state.Warned, w.Budget) {
				continue
			}
			if err := r.apply(ctx, loop.BudgetWarned{Stamp: r.stamp(), Budget: w.Budget, Message: w.Message}); err != nil {
				return err
			}
		}
	}
	return nil
}

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
	all, err := e.store.PlanSpent(ctx, id)
	return all, situation.Of(err)
}

var _ engine.Budgets = (*Engine)(nil)
