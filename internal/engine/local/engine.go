package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Engine runs loops in this process and keeps them in a store.
type Engine struct {
	store *store.Store
	// worker makes the hands for the loop whose lease is held.
	worker func(*store.Lease) *engine.Worker
	now    func() time.Time
	fault  func(point string)
	owner  string
	retire func(ctx context.Context, path string) error
}

// Options of an Engine.
type Options struct {
	Now func() time.Time
	// Owner is how this process is shown to others.
	Owner string
	// Retire deletes a worktree that nobody has.
	Retire func(ctx context.Context, path string) error
	// Fault is called at every point at which a crash must be survived; tests
	// end the process there.
	Fault func(point string)
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine on an open store. The engine fills in the trees of each
// worker that it is given.
func New(s *store.Store, worker func(dir string) *engine.Worker, o Options) *Engine {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fault == nil {
		o.Fault = func(string) {}
	}
	return &Engine{store: s, now: o.Now, fault: o.Fault, owner: o.Owner, retire: o.Retire, worker: func(l *store.Lease) *engine.Worker {
		w := worker(l.Dir())
		w.Trees, w.Files = trees{s, l, o.Fault}, engine.Layout{Dir: l.Dir()}
		return w
	}}
}

// Start records the loop, before any git or gate work, and drives it.
func (e *Engine) Start(ctx context.Context, spec loop.Spec, o engine.StartOptions, d engine.Drive) (loop.State, error) {
	if err := spec.Validate(); err != nil {
		return loop.State{}, err
	}
	e.fault("before:create")
	lease, err := e.store.Create(ctx, loop.New(spec, e.now().Round(0)), store.Admission{Max: o.Max, Force: o.Force})
	if err != nil {
		return loop.State{}, situation(err)
	}
	e.fault("after:create")
	r := e.runner(lease, d)
	if err := r.apply(ctx, loop.Acquired{Stamp: r.stamp(), Owner: e.owner}); err != nil {
		return r.state, errors.Join(situation(err), lease.Release(ctx))
	}
	return e.finish(ctx, r)
}

// Resume takes the loop, ends what its last owner left running, and drives it.
func (e *Engine) Resume(ctx context.Context, id string, o engine.ResumeOptions, d engine.Drive) (loop.State, error) {
	r, err := e.take(ctx, id, o.TakeOver, d)
	if err != nil {
		return loop.State{}, err
	}
	if r.state.Status.Terminal() {
		return r.state, errors.Join(engine.ErrEnded, r.lease.Release(ctx))
	}
	if err := r.goOn(ctx, o.Now); err != nil {
		return r.state, errors.Join(situation(err), r.lease.Release(ctx))
	}
	return e.finish(ctx, r)
}

// goOn undoes what keeps the loop from running, as far as a person asked.
func (r *runner) goOn(ctx context.Context, now bool) error {
	if err := r.inbox(ctx); err != nil {
		return err
	}
	if r.state.Status == loop.Paused || r.state.PauseAsked {
		if err := r.apply(ctx, loop.Resumed{Stamp: r.stamp()}); err != nil {
			return err
		}
	}
	if now && r.state.Status == loop.Waiting && r.state.Reason != loop.ForHuman {
		return r.apply(ctx, loop.Woke{Stamp: r.stamp()})
	}
	return nil
}

// take acquires the lease and recovers.
func (e *Engine) take(ctx context.Context, id string, takeOver bool, d engine.Drive) (*runner, error) {
	lease, err := e.store.Acquire(ctx, id, takeOver)
	if err != nil {
		return nil, situation(err)
	}
	r := e.runner(lease, d)
	if r.state.Status.Terminal() {
		return r, nil
	}
	if err := r.recover(ctx, e.owner); err != nil {
		return nil, errors.Join(situation(err), lease.Release(ctx))
	}
	if r.state.InPlace && r.state.Worktree != "" {
		if err := e.store.LockTree(ctx, lease, r.state.Worktree); err != nil {
			return nil, errors.Join(situation(err), lease.Release(ctx))
		}
	}
	return r, nil
}

// recover ends leftover processes, heals the worktrees, and records that the
// step under way was cut off.
func (r *runner) recover(ctx context.Context, owner string) error {
	left, err := r.worker.Recover(ctx, r.state)
	if err != nil {
		return err
	}
	events := []loop.Event{loop.Acquired{Stamp: r.stamp(), Owner: owner}}
	if r.state.Status == loop.Running && r.state.Began {
		why := "the process that ran the loop ended"
		if left > 0 {
			why = fmt.Sprintf("%s; %d of its processes were still running and have been ended", why, left)
		}
		events = append(events, loop.Interrupted{Stamp: r.stamp(), Why: why})
	}
	return r.apply(ctx, events...)
}

func (e *Engine) runner(lease *store.Lease, d engine.Drive) *runner {
	return &runner{
		lease: lease, state: lease.State(), worker: e.worker(lease), drive: d, now: e.now, fault: e.fault,
	}
}

// finish drives the loop and lets it go.
func (e *Engine) finish(ctx context.Context, r *runner) (loop.State, error) {
	state, err := r.run(ctx)
	return state, errors.Join(situation(err), r.lease.Release(context.WithoutCancel(ctx)))
}

// Send hands the command to the owner, or carries it out where there is none.
func (e *Engine) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	record, err := e.store.Load(ctx, id)
	if err != nil {
		return loop.State{}, situation(err)
	}
	if record.State.Status.Terminal() {
		return record.State, engine.ErrEnded
	}
	if record.Live {
		err := e.store.Send(ctx, id, store.Message{Kind: string(c.Kind), Text: c.Text, By: c.By})
		return record.State, situation(err)
	}
	return e.carryOut(ctx, id, c)
}

// carryOut does what a command needs while nobody runs the loop: an abort is
// closed to its end; anything else leaves the loop paused or waiting, never
// running without an owner.
func (e *Engine) carryOut(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	r, err := e.take(ctx, id, false, engine.Drive{})
	if err != nil {
		return loop.State{}, err
	}
	if c.Kind == engine.Abort && r.state.Ending == nil {
		if err := r.apply(ctx, loop.AbortAsked{Stamp: r.stamp(), Why: c.Text}); err != nil {
			return r.state, errors.Join(situation(err), r.lease.Release(ctx))
		}
	} else if err := r.rest(ctx, c); err != nil {
		return r.state, errors.Join(situation(err), r.lease.Release(ctx))
	}
	if r.state.Ending != nil {
		return e.finish(ctx, r)
	}
	return r.state, r.lease.Release(ctx)
}

// rest carries out c and leaves the loop where it rests.
func (r *runner) rest(ctx context.Context, c engine.Command) error {
	if err := r.apply(ctx, r.events(c)...); err != nil {
		return err
	}
	if r.state.Status == loop.Running && r.state.Ending == nil {
		if !r.state.PauseAsked {
			if err := r.apply(ctx, loop.PauseAsked{Stamp: r.stamp(), By: "no owner"}); err != nil {
				return err
			}
		}
		return r.apply(ctx, loop.Interrupted{Stamp: r.stamp(), Why: "nobody runs the loop"})
	}
	return nil
}
