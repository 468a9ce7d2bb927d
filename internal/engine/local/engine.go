package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store"
	"ralph/internal/store/limits"
)

// Engine runs loops in this process and keeps them in a store.
type Engine struct {
	// runs are the loops, as any engine keeps them.
	runs loops
	// store has what belongs to this machine or to no single run: worktrees,
	// artifacts, checkpoints, budgets, admission, learned patterns, loops that their
	// agents drive, and the facts that only views show.
	store *store.Store
	// worker makes the worker of the loop whose lease is held.
	worker func(stored.LoopLease) *worker.Worker
	// workerIn makes that of the loop whose directory is given.
	workerIn func(dir string) *worker.Worker
	now      func() time.Time
	fault    func(point string)
	owner    string
	every    time.Duration
	retire   func(ctx context.Context, path string) error
	kept     Checkpoints

	limits  *limits.Book
	session money.Session
	warn    func(error)
}

// Checkpoints are the refs that keep the checkpoints of loops.
type Checkpoints interface {
	// Owners are the loops that have any.
	Owners(ctx context.Context) ([]string, error)
	// Drop removes those of a loop.
	Drop(ctx context.Context, id string) error
}

// Options of an Engine.
type Options struct {
	Now func() time.Time
	// Owner is how this process is shown to others.
	Owner string
	// CheckpointEvery is how much work lies between two checkpoints; 0 makes
	// none but at soft deadlines.
	CheckpointEvery time.Duration
	// Checkpoints are the refs that keep them.
	Checkpoints Checkpoints
	// Retire deletes a worktree that no loop has.
	Retire func(ctx context.Context, path string) error
	// Limits is the store of usage limits that all loops of the machine share;
	// nil is none. Warn receives its errors.
	Limits *limits.Book
	Warn   func(error)
	// Session is the budget of this process.
	Session money.Session
	// Fault is called at every point at which a crash must be survived; tests
	// end the process there.
	Fault func(point string)
}

var _ engine.Loops = (*Engine)(nil)

// New makes an engine on an open store. The engine fills in the trees of each
// worker that it is given.
func New(s *store.Store, in func(dir string) *worker.Worker, o Options) *Engine {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fault == nil {
		o.Fault = func(string) {}
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	e := &Engine{limits: o.Limits, session: o.Session, warn: o.Warn, runs: stored.Loops{Store: s}, store: s, now: o.Now, fault: o.Fault, owner: o.Owner, every: o.CheckpointEvery, retire: o.Retire, kept: o.Checkpoints, workerIn: in}
	e.worker = func(l stored.LoopLease) *worker.Worker {
		w := in(l.Dir())
		w.Trees, w.Files, w.Owned = trees{s, l.Lease, o.Fault}, engine.Layout{Dir: l.Dir()}, l.Check
		w.Recall = e.recall
		return w
	}
	return e
}

// loops are a store of loops whose leases pay, too, for agents and reviewers.
type loops = engine.Store[loop.State, loop.Event, stored.LoopLease]

// admitting returns the loops for a caller that may run only so many.
func (e *Engine) admitting(a store.Admission) loops { return stored.Loops{Store: e.store, Admit: a} }

// Start records the loop, before any git or gate work, and drives it.
func (e *Engine) Start(ctx context.Context, spec loop.Spec, o engine.Options, d engine.Drive) (loop.State, error) {
	if err := spec.Validate(); err != nil {
		return loop.State{}, err
	}
	if err := e.workerIn("").CanConfine(ctx, spec); err != nil {
		return loop.State{}, err
	}
	if err := e.Settle(ctx); err != nil {
		return loop.State{}, err
	}
	e.fault("before:create")
	lease, err := e.admitting(admission(o)).Create(ctx, loop.New(spec, e.now().Round(0)), nil)
	if err != nil {
		return loop.State{}, err
	}
	e.fault("after:create")
	r, err := e.runner(ctx, lease, d)
	if err != nil {
		return loop.State{}, errors.Join(situation.Of(err), lease.Release(ctx))
	}
	if err := r.apply(ctx, loop.Acquired{Stamp: r.stamp(), Owner: e.owner}); err != nil {
		return r.state, errors.Join(situation.Of(err), lease.Release(ctx))
	}
	return e.finish(ctx, r)
}

// Resume takes the loop, ends what its last owner left running, and drives it.
//
// An agent-driven one is only checked from then on.
func (e *Engine) Resume(ctx context.Context, id string, o engine.Options, d engine.Drive) (loop.State, error) {
	lease, err := e.admitting(admission(o)).Acquire(ctx, id, nil, o.TakeOver)
	if err != nil {
		return loop.State{}, err
	}
	r, err := e.take(ctx, lease, d)
	if err != nil {
		return loop.State{}, err
	}
	if r.state.Status.Terminal() {
		e.learn(ctx, id)
		return r.state, errors.Join(engine.ErrEnded, r.lease.Release(ctx))
	}
	if err := r.worker.CanConfine(ctx, r.state.Spec); err != nil {
		return r.state, errors.Join(err, e.release(ctx, r.lease))
	}
	if err := r.before(ctx, e, o); err != nil {
		return r.state, errors.Join(situation.Of(err), e.release(ctx, r.lease))
	}
	return e.finish(ctx, r)
}

// before does the part of a request that comes before resuming.
func (r *runner) before(ctx context.Context, e *Engine, o engine.Options) error {
	if !o.Recovery {
		if err := r.lease.ForgetRecovery(ctx); err != nil {
			return err
		}
	}
	if o.From > 0 {
		if err := r.restore(ctx, e, o.From); err != nil {
			return err
		}
	}
	return r.goOn(ctx, o)
}

// goOn removes the obstacles to running the loop that a person asked to remove:
// also a pause that the owner never received, but not one requested since. A
// loop paused for a person's decision about a limit tries again: that is the
// decision. A limit that is over is no longer waited for; one that is not stays
// in the shared store. Recovery of crashed loops undoes no pause: a user wanted
// it.
func (r *runner) goOn(ctx context.Context, o engine.Options) error {
	if err := r.takeInbox(ctx, r.lease.Found); err != nil {
		return err
	}
	now := o.Now || r.state.Stopped() && r.state.Reason == loop.ForLimit
	if r.state.Status == loop.Paused || r.state.PauseAsked {
		if o.Recovery {
			return nil
		}
		if err := r.apply(ctx, loop.Resumed{Stamp: r.stamp()}); err != nil {
			return err
		}
	}
	r.accounts.shared = true
	if !now && !limitOver(ctx, r.accounts.book, r.worker, r.state) {
		return nil
	}
	err := r.apply(ctx, loop.Woke{Stamp: r.stamp(), Asked: now})
	if _, nothing := errors.AsType[*loop.Refused](err); nothing {
		return nil // it waits for no time, and is not about to start an agent
	}
	return err
}

// take recovers the run of a new lease. Without an error the runner has it.
func (e *Engine) take(ctx context.Context, lease stored.LoopLease, d engine.Drive) (*runner, error) {
	r, err := e.runner(ctx, lease, d)
	if err != nil {
		return nil, errors.Join(situation.Of(err), lease.Release(ctx))
	}
	if r.state.Status.Terminal() {
		return r, nil
	}
	if err := r.recover(ctx, e.owner); err != nil {
		return nil, errors.Join(situation.Of(err), lease.Release(ctx))
	}
	if r.state.InPlace && r.state.Worktree != "" {
		if err := e.store.LockTree(ctx, lease.Lease, r.state.Worktree); err != nil {
			return nil, errors.Join(situation.Of(err), lease.Release(ctx))
		}
	}
	return r, nil
}

// recover ends leftover processes, heals the worktrees, and records that the
// step in progress was cut off.
func (r *runner) recover(ctx context.Context, owner string) error {
	note := r.worker.LostTree(r.state)
	left, err := r.worker.Recover(ctx, r.state)
	if err != nil {
		return err
	}
	events := []loop.Event{loop.Acquired{Stamp: r.stamp(), Owner: owner}}
	if r.state.Status == loop.Running && (r.state.Began || r.state.Step == loop.StepGates || note != "") {
		why := "the process that ran the loop ended"
		if left > 0 {
			why = fmt.Sprintf("%s; %d of its processes were still running and have been ended", why, left)
		}
		cut := loop.Interrupted{Stamp: r.stamp(), Why: why, Note: note}
		if r.state.Began {
			used, model := r.worker.UsedIn(r.state.Iteration)
			cut.Usage, cut.Model = r.worker.Priced(r.state.Agent, used, model), model
		}
		events = append(events, cut)
	}
	return r.apply(ctx, events...)
}

func (e *Engine) runner(ctx context.Context, lease stored.LoopLease, d engine.Drive) (*runner, error) {
	pace, err := e.paceOf(ctx, lease)
	return &runner{
		lease: lease, state: lease.State(), worker: e.worker(lease), drive: d, now: e.now, fault: e.fault, pace: pace,
		accounts: accounts{book: e.limits, warn: e.warn}, session: e.session,
	}, err
}
