package store

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Shared are the runs of a store as engines share them.
type Shared[S any, E journal.Event] struct {
	*Store[S, E]
}

var (
	_ engine.SharedLoops = Shared[loop.State, loop.Event]{}
	_ engine.SharedPlans = Shared[plan.State, plan.Event]{}
)

// Create records a new run and acquires it.
func (s Shared[S, E]) Create(ctx context.Context, first S, spec []byte) (engine.Lease[S, E], error) {
	return granted(s.Store.Create(ctx, first, spec))
}

// Acquire returns the lease of a run.
func (s Shared[S, E]) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (engine.Lease[S, E], error) {
	return granted(s.Store.Acquire(ctx, id, spec, takeOver))
}

// granted keeps a lease that is nil from becoming an interface that is not.
func granted[S any, E journal.Event](l *Lease[S, E], err error) (engine.Lease[S, E], error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}
