package runner

import (
	"context"
	"errors"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/money"
)

// reserveAgent records that the agent is about to be started, and reserves what it may
// use. False: a budget has no room, and the consequence is recorded.
func (r *Runner) reserveAgent(ctx context.Context, began loop.AttemptBegan, a *loop.Action) (bool, error) {
	reserve := engine.Reserve{Session: r.Session, Until: r.Now().Add(worker.LongestRun)}
	if a.Timeout.Hard > 0 {
		reserve.Until = r.Now().Add(a.Timeout.Hard)
	}
	var wall time.Duration
	err := r.commitWith(ctx, func(ctx context.Context, next loop.State, events []loop.Event, _ ...int64) (err error) {
		wall, err = r.Lease.CommitReserved(ctx, next, events, reserve)
		return err
	}, []loop.Event{began})
	return r.granted(ctx, a, wall, err)
}

// reserveReview reserves what the reviewers may use, as reserveAgent does for the agent.
func (r *Runner) reserveReview(ctx context.Context, a *loop.Action) (bool, error) {
	if !r.Worker.Consults(r.state, *a) {
		return true, nil
	}
	if err := r.warnBudgets(ctx); err != nil {
		return false, err
	}
	wall, err := r.Lease.ReserveReview(context.WithoutCancel(ctx), engine.Reserve{Session: r.Session, Until: r.Now().Add(worker.LongestRun)})
	return r.granted(ctx, a, wall, err)
}

// granted handles the decision of the budgets.
func (r *Runner) granted(ctx context.Context, a *loop.Action, wall time.Duration, err error) (bool, error) {
	if refused, ok := errors.AsType[*money.RefusedError](err); ok {
		return false, r.refused(ctx, refused)
	}
	a.Timeout = worker.Within(a.Timeout, wall)
	return err == nil, err
}

// refused records that a budget cannot pay for a run: the loop waits for reservations of
// others; a budget that is used up ends the loop, or pauses it.
func (r *Runner) refused(ctx context.Context, e *money.RefusedError) error {
	if e.Verdict == money.Busy {
		return r.Commit(ctx, loop.Held{
			Stamp: r.stamp(), Reason: loop.Budget, Until: r.Now().Add(worker.LongestRun).Round(0), Message: e.Error(),
		})
	}
	return r.Commit(ctx, loop.BudgetSpent{Stamp: r.stamp(), Budget: e.Name(), Message: e.Error(), Pause: r.state.BudgetPauses})
}

// affordable reports whether a wait for a budget is over.
func (r *Runner) affordable(ctx context.Context) (bool, error) {
	refused, is := errors.AsType[*money.RefusedError](r.Lease.Affords(ctx, r.Session.ID))
	if is && refused.Verdict == money.Busy {
		return false, nil
	}
	return true, r.Commit(ctx, loop.Woke{Stamp: r.stamp()})
}

// warnBudgets reports once of each budget that most of it is used.
func (r *Runner) warnBudgets(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	all, err := r.Lease.Balances(ctx, r.Session.ID)
	if err != nil {
		return err
	}
	for _, b := range all {
		for _, w := range b.Warnings() {
			if slices.Contains(r.state.Warned, w.Budget) {
				continue
			}
			if err := r.Commit(ctx, loop.BudgetWarned{Stamp: r.stamp(), Budget: w.Budget, Message: w.Message}); err != nil {
				return err
			}
		}
	}
	return nil
}
