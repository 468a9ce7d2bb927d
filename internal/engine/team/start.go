package team

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
)

// Start records a loop for the workers, with the commit that it starts from on the remote,
// and follows it until it stops by itself or the user leaves.
func (e *Engine) Start(ctx context.Context, spec loop.Spec, o engine.Options, d engine.Drive) (loop.State, error) {
	if err := errors.Join(spec.Validate(), shareable(spec)); err != nil {
		return loop.State{}, err
	}
	if err := e.Travel.workable(ctx, spec.Start(), len(spec.Setup) > 0); err != nil {
		return loop.State{}, err
	}
	if o.Alone {
		if err := e.alone(ctx, spec); err != nil {
			return loop.State{}, err
		}
	}
	if err := e.Travel.Announce(ctx, spec.Branch, spec.Start()); err != nil {
		return loop.State{}, err
	}
	first := loop.New(spec, e.Now().Round(0))
	l, err := e.Shared.Create(ctx, first, nil)
	if err != nil {
		return loop.State{}, err
	}
	if err := l.Release(ctx); err != nil {
		return first, err
	}
	if spec.RetryOf != "" {
		e.recordRetried(ctx, spec)
	}
	return e.follow(ctx, spec.ID, d)
}

// recordRetried notes on a loop that has ended that its task is done again, unless the
// worker of the new one did. Another process may hold the loop for a moment. Where that
// fails, the old loop stays among those that need a person.
func (e *Engine) recordRetried(ctx context.Context, spec loop.Spec) {
	moment := func() bool { return true }
	err := engine.AwaitLease(ctx, moment, func() error {
		_, err := e.execute(ctx, spec.RetryOf, func(s loop.State) []loop.Event {
			if s.RetriedBy == spec.ID {
				return nil
			}
			return []loop.Event{loop.Retried{Stamp: e.stamp(), By: spec.ID}}
		})
		return err
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, engine.ErrEnded) && !errors.Is(err, engine.ErrNotFound) { // an archived one waits for no person
		e.Say("! %s: its retry was not recorded there: %v", spec.RetryOf, err)
	}
}

// alone refuses a second loop of one task.
func (e *Engine) alone(ctx context.Context, spec loop.Spec) error {
	active, err := e.Engine.List(ctx, engine.Filter{Active: true})
	if slices.ContainsFunc(active, func(l engine.Loop) bool { return l.State.Task.ID == spec.Task.ID }) {
		return engine.ErrSameTask
	}
	return err
}

// shareable refuses what only this machine has.
func shareable(s loop.Spec) error {
	for what, is := range map[string]bool{
		"--in-place": s.InPlace, "--with-changes": s.WithChanges, "isolation.copy": len(s.Copy) > 0,
		"a hidden gate": slices.ContainsFunc(s.Gates, func(g loop.Gate) bool { return g.Hidden }),
	} {
		if is {
			return fmt.Errorf("%w: %s needs files of this machine", engine.ErrNotShared, what)
		}
	}
	return nil
}

// Resume continues a paused loop, and follows it.
func (e *Engine) Resume(ctx context.Context, id string, o engine.Options, d engine.Drive) (loop.State, error) {
	if o.From > 0 || o.TakeOver {
		return loop.State{}, fmt.Errorf("%w: --from and --take-over are for the machine that has the files", engine.ErrNotShared)
	}
	r, err := e.refresh(ctx, id)
	if err == nil {
		err = engine.MovedOf(r.State)
	}
	if err != nil {
		return r.State, err
	}
	if r.State.Status.Terminal() {
		return r.State, engine.ErrEnded
	}
	if !r.Live && r.State.Status == loop.Paused {
		if _, err := e.execute(ctx, id, always(loop.Resumed{Stamp: e.stamp()})); err != nil {
			return r.State, err
		}
	}
	return e.follow(ctx, id, d)
}

// follow reports what happens to a loop until it rests, or the user leaves it.
func (e *Engine) follow(ctx context.Context, id string, d engine.Drive) (loop.State, error) {
	var after int64
	var state loop.State
	var away engine.Outage
	look := time.NewTicker(refreshEvery / 2)
	defer look.Stop()
	for {
		r, err := e.refresh(ctx, id)
		gone := err != nil && e.OfPlans && passes(ctx, err) || away.Passes(e.Say, err)
		switch {
		case gone:
		case err != nil:
			return state, err
		case e.Leaves:
			return r.State, nil
		default:
			if state.ID == "" {
				state, after = r.State, r.Seq+1 // as the copy counts, see stored.Copies
			}
			if state, after, err = e.report(ctx, state, after, d); err != nil {
				return state, err
			}
			if !r.Live && !Active(r.State) {
				return r.State, nil
			}
		}
		select {
		case <-look.C:
		case stop := <-d.Stops:
			if !e.OfPlans {
				e.Say("%s: left; its worker continues", id)
				return state, nil
			}
			if _, err := e.Send(ctx, id, engine.Command{Kind: stop.Kind(), By: "the plan"}); err != nil && !errors.Is(err, engine.ErrEnded) {
				return state, err
			}
		case <-ctx.Done():
			return state, context.Cause(ctx)
		}
	}
}

// passes reports whether a failed look says nothing about the loop: the server is away.
func passes(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !errors.Is(err, engine.ErrNotFound) && !errors.Is(err, engine.ErrDamaged)
}

// report tells a watcher what the copy recorded after an event.
func (e *Engine) report(ctx context.Context, s loop.State, after int64, d engine.Drive) (loop.State, int64, error) {
	for r, err := range engine.Events(ctx, e.Events, s.ID, after, engine.Newest) {
		if err != nil {
			return s, after, err
		}
		next, event, err := stored.Apply(s, r)
		if err != nil {
			return s, after, err
		}
		if d.Watch != nil {
			d.Watch(engine.Update{Before: s, After: next, Event: event, Seq: r.Seq})
		}
		s, after = next, r.Seq
	}
	return s, after, nil
}
