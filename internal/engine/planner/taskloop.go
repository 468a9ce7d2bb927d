package planner

import (
	"context"
	"errors"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// retryAfter is how long a loop waits for its place, or for another process
// that runs it.
const retryAfter = time.Second

// runLoop starts the loop, or resumes it.
func (r *run) runLoop(ctx context.Context, spec loop.Spec, task string, f *job) (loop.State, error) {
	watch := r.watch(f)
	drive := engine.Drive{Watch: func(u engine.Update) { r.began(f); u.Task = task; watch(u) }, Stops: f.stops, Rests: true}
	defer r.awaits.put(task, "")
	for {
		var s loop.State
		stop, err := r.reach(ctx, f, f.stops, func() (err error) {
			s, err = r.Loops.Start(ctx, spec, engine.Options{Max: r.spec.MaxLoops, Force: r.force}, drive)
			if errors.Is(err, engine.ErrExists) {
				r.recall(ctx, f, spec.ID)
				s, err = r.Loops.Resume(ctx, spec.ID, engine.Options{Max: r.spec.MaxLoops, Force: r.force, Now: r.now, TakeOver: r.mayTakeOver(ctx, spec.ID)}, drive)
			}
			return err
		})
		_, full := errors.AsType[*engine.AdmissionError](err)
		switch {
		case stop > 0:
			return r.stopLoop(ctx, spec, stop)
		case errors.Is(err, engine.ErrEnded):
			l, err := r.Loops.Show(ctx, spec.ID)
			return l.State, err
		case !full && !errors.Is(err, engine.ErrRunning):
			return s, err
		}
		if l, err := r.Loops.Show(ctx, spec.ID); !full && err == nil {
			r.awaits.put(task, r.heldBy(spec.ID, l.Owner))
		}
		// Another process has the place, or the loop: waiting is worthwhile.
		if stop, err := f.wait(ctx, f.stops, retryAfter); err != nil {
			return loop.State{}, err
		} else if stop > 0 {
			return loop.State{Spec: spec, Status: loop.Paused, Message: beforeItBegan}, nil
		}
	}
}

// beforeItBegan is the message of a loop, or a plan, that was to stop before this process could
// drive it.
const beforeItBegan = "paused before it began here"

// stopLoop stops a loop whose start waits for the remote. Another worker may have begun it.
func (r *run) stopLoop(ctx context.Context, spec loop.Spec, stop engine.Stop) (loop.State, error) {
	_, err := r.Loops.Send(ctx, spec.ID, engine.Command{Kind: stop.Kind(), By: "the plan"})
	if nothingToDo(err) {
		err = nil
	}
	return loop.State{Spec: spec, Status: loop.Paused, Message: beforeItBegan}, err
}
