package store

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// Shared are the loops of a store as engines share them.
type Shared struct {
	*Store[loop.State, loop.Event]
}

var _ engine.SharedLoops = Shared{}

// Create records a new loop and acquires it.
func (s Shared) Create(ctx context.Context, first loop.State, spec []byte) (engine.Lease[loop.State, loop.Event], error) {
	return granted(s.Store.Create(ctx, first, spec))
}

// Acquire returns the lease of a loop.
func (s Shared) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (engine.Lease[loop.State, loop.Event], error) {
	return granted(s.Store.Acquire(ctx, id, spec, takeOver))
}

// granted keeps a lease that is nil from becoming an interface that is not.
func granted(l *Lease[loop.State, loop.Event], err error) (engine.Lease[loop.State, loop.Event], error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}
