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

// A loop is released in two steps: its owner reads the inbox for the last time, and
// then unlocks it. A sender in between sees a living owner and leaves the message to
// it. So an owner reads the inbox once more after the release: from then on a sender
// sees that there is no owner, and carries its command out itself.

// drive runs the loop until it rests or has ended, learns from it, and releases it.
func (e *Engine) drive(ctx context.Context, r *runner.Runner) (loop.State, error) {
	state, err := r.Run(ctx)
	if state.Status.Terminal() {
		e.learn(ctx, state.ID)
	} else {
		e.fault("before:release")
	}
	err = errors.Join(situation.Of(err), r.Lease.Release(context.WithoutCancel(ctx)))
	if err != nil || state.Status.Terminal() {
		return state, err
	}
	return e.continueIfSent(ctx, r)
}

// continueIfSent continues a loop that rested where a command was sent to its owner
// meanwhile. A process that has acquired it since reads the inbox first.
func (e *Engine) continueIfSent(ctx context.Context, r *runner.Runner) (loop.State, error) {
	whole := context.WithoutCancel(ctx)
	if waits, err := e.loops.Unread(whole, r.State().ID); err != nil || !waits {
		return r.State(), situation.Of(err)
	}
	lease, err := e.loops.Acquire(whole, r.State().ID, nil, false)
	if errors.Is(err, engine.ErrRunning) {
		return r.State(), nil
	}
	if err != nil {
		return r.State(), situation.Of(err)
	}
	next, err := e.recover(whole, lease, r.Drive, loop.Gap{})
	if err != nil {
		return r.State(), err
	}
	if next.State().Status.Terminal() {
		return next.State(), situation.Of(lease.Release(whole))
	}
	next.InheritStops(r)
	return e.drive(ctx, next)
}

// release gives back a loop that was held for a moment, and not run.
func (e *Engine) release(ctx context.Context, l stored.LoopLease) error {
	ctx = context.WithoutCancel(ctx)
	if err := l.Release(ctx); err != nil {
		return err
	}
	waits, err := e.loops.Unread(ctx, l.ID())
	if err == nil && waits {
		_, err = e.executeLeft(ctx, l.ID())
	}
	return situation.Of(err)
}
