package planner

import (
	"context"
	"errors"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// retryInterrupted repeats what a foreign signal or lack has cut off, after waits that double,
// as often as a loop repeats a step of its own. stop ends the waiting. A full disk is
// waited for as long as it is full.
func (r *run) retryInterrupted(ctx context.Context, stop <-chan struct{}, do func() error) error {
	limits := r.spec.Task.Limits
	for n := 0; ; n++ {
		err := r.withSpace(ctx, nil, do)
		if !worker.Interruption(err).Interrupts() || errors.Is(err, engine.ErrStopped) || n >= limits.Interruptions {
			return err
		}
		select {
		case <-time.After(limits.Delay(n)):
		case <-stop:
			return err
		case <-ctx.Done():
			return err
		}
	}
}

// withSpace repeats what fails because a disk is full, once there is space.
func (r *run) withSpace(ctx context.Context, stops <-chan engine.Stop, do func() error) error {
	for {
		err := do()
		lack := r.diskError(err)
		if lack == nil {
			return err
		}
		if err := r.SpaceWait.Await(ctx, stops, nil, lack); err != nil {
			return err
		}
	}
}

// diskError returns ErrNoSpace or ErrUnusable where that explains an error.
func (r *run) diskError(err error) error {
	return engine.DiskError(err, func() error { return r.NewWorker(r.Dir(r.lease.ID())).Lacks(loop.State{}) })
}
