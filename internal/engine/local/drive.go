package local

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/engine/runner"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
)

// drive runs the loop until it rests or has ended, and releases it. One that rested
// continues where a command was sent to its owner meanwhile.
func (e *Engine) drive(ctx context.Context, r *runner.Runner) (loop.State, error) {
	err := e.run(ctx, r)
	if err != nil || r.State().Status.Terminal() {
		return r.State(), errors.Join(situation.Of(err), r.Lease.Release(context.WithoutCancel(ctx)))
	}
	err = engine.Release(ctx, e.loops, r.Lease, func(whole context.Context, lease stored.LoopLease) error {
		next, err := e.recover(whole, lease, r.Drive, loop.Gap{})
		if err != nil {
			return err
		}
		next.InheritStops(r)
		r = next
		return e.run(ctx, r)
	})
	return r.State(), situation.Of(err)
}

// run runs the loop until it rests or has ended, and learns from it.
func (e *Engine) run(ctx context.Context, r *runner.Runner) error {
	if r.State().Status.Terminal() {
		return nil
	}
	state, err := r.Run(ctx)
	if state.Status.Terminal() {
		e.learn(ctx, state.ID)
	} else {
		e.fault("before:release")
	}
	return err
}

// release gives back a loop that was held for a moment, and not run.
func (e *Engine) release(ctx context.Context, l stored.LoopLease) error {
	return situation.Of(engine.Release(ctx, e.loops, l, e.executeInbox))
}
