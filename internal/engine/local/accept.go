package local

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// Accept brings a passed loop home. It holds the loop's lease meanwhile, so
// that two of them cannot meet.
func (e *Engine) Accept(ctx context.Context, id string) (engine.Accepted, error) {
	lease, err := e.store.Acquire(ctx, id, false)
	if err != nil {
		return engine.Accepted{}, situation(err)
	}
	done, err := e.accept(ctx, lease.State(), e.worker(lease))
	return done, errors.Join(err, lease.Release(ctx))
}

func (e *Engine) accept(ctx context.Context, s loop.State, w *engine.Worker) (engine.Accepted, error) {
	switch {
	case !s.Status.Terminal():
		return engine.Accepted{}, engine.ErrNotEnded
	case s.Status != loop.StatusPassed:
		return engine.Accepted{}, fmt.Errorf("%w: it is %s", engine.ErrNotPassed, s.Status)
	case s.Commit == "":
		return engine.Accepted{}, fmt.Errorf("%w: nothing was changed", engine.ErrNotPassed)
	}
	return w.Accept(ctx, s)
}
