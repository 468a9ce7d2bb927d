package local

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/worker"
	"ralph/internal/store"
)

// Rest leaves a loop that no process drives where it can move from: what its last owner
// left running is ended, and the messages to it are carried out.
func (e *Engine) Rest(ctx context.Context, id string) error {
	_, err := e.execute(ctx, id)
	if errors.Is(err, engine.ErrEnded) {
		return nil
	}
	return situation.Of(err)
}

// MayLeave returns an error where this machine has content of a loop that cannot be kept.
func (e *Engine) MayLeave(ctx context.Context, l *store.LoopLease) error {
	return e.mover(l).MayLeave(ctx, l.State())
}

// Leave hands back the trees of a loop that was moved away. It returns the branch that keeps
// what was not committed; empty is nothing.
func (e *Engine) Leave(ctx context.Context, l *store.LoopLease) (kept string, err error) {
	return e.mover(l).Leave(ctx, l.State(), &worker.Hooks{})
}

// Arrive makes the branches of a loop that moves here. kept is its failed work.
func (e *Engine) Arrive(ctx context.Context, l *store.LoopLease, kept string) error {
	return e.mover(l).Arrive(ctx, l.State().Complete(), kept)
}

func (e *Engine) mover(l *store.LoopLease) *worker.Worker {
	return e.worker(stored.LoopLease{LoopLease: l})
}
