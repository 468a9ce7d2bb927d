package engine

import (
	"context"

	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// CommitLoop changes the committed state of a loop by events, and records both in one
// transaction. It is for an act that no step or job of a driven run stands behind: what
// a person does with a loop that has ended, a move. It returns the state as it is now
// recorded: the former one with an error, where the machine or the lease refuses.
func CommitLoop(ctx context.Context, l Lease[loop.State, loop.Event], events ...loop.Event) (loop.State, error) {
	return commit(ctx, l, loop.Apply, events)
}

// CommitPlan is CommitLoop for a plan.
func CommitPlan(ctx context.Context, l Lease[plan.State, plan.Event], events ...plan.Event) (plan.State, error) {
	return commit(ctx, l, plan.Apply, events)
}

func commit[S any, E journal.Event](ctx context.Context, l Lease[S, E], apply func(S, E) (S, error), events []E) (S, error) {
	now := l.State()
	next, err := journal.Fold(apply, now, events...)
	if err == nil {
		err = l.Commit(ctx, next, events)
	}
	if err != nil {
		return now, err
	}
	return next, nil
}
