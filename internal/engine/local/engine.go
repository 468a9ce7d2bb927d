package local

import (
	"context"
	"errors"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/runner"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/worker"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store"
	"ralph/internal/store/limits"
)

// Engine runs loops in this process and keeps them in a store.
type Engine struct {
	// loops are kept as any engine keeps its runs.
	loops loops
	// store has what belongs to this machine or to no single run: worktrees,
	// artifacts, checkpoints, budgets, admission, learned patterns, loops that their
	// agents drive, and the facts that only views show.
	store *store.Store
	// worker makes the worker of the loop whose lease is held.
	worker func(stored.LoopLease) *worker.Worker
	// workerIn makes that of the loop whose directory is given.
	workerIn        func(dir string) *worker.Worker
	now             func() time.Time
	uptime          func() journal.Uptime
	fault           func(point string)
	owner           string
	checkpointEvery time.Duration
	discard         func(ctx context.Context, path string) error
	onlyCommit      func(ctx context.Context, path string, given ...string) (string, error)
	checkpoints     Checkpoints

	limits    *limits.Book
	session   money.Session
	warn      func(error)
	shared    *stored.Shared
	spaceWait engine.SpaceWait
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
	// Uptime is the second clock of loops that agents drive; nil is none.
	Uptime func() journal.Uptime
	// Owner is how this process is shown to others.
	Owner string
	// CheckpointEvery is how much work lies between two checkpoints; 0 makes
	// none but at soft deadlines.
	CheckpointEvery time.Duration
	// Checkpoints are the refs that keep them.
	Checkpoints Checkpoints
	// Discard deletes a worktree that no loop has. OnlyCommit returns the commit that would
	// be lost with it: one that no ref contains and none of the given commits; nil is none.
	Discard    func(ctx context.Context, path string) error
	OnlyCommit func(ctx context.Context, path string, given ...string) (string, error)
	// Limits is the store of usage limits that all loops of the machine share;
	// nil is none. Warn receives its errors.
	Limits *limits.Book
	Warn   func(error)
	// Session is the budget of this process.
	Session money.Session
	// SpaceWait waits where a disk is full; nil: the run ends with ErrNoSpace.
	SpaceWait engine.SpaceWait
	// Shared keeps the record of loops on a server, where several machines share it;
	// nil keeps it here alone. The engine fills in the loops of this machine.
	Shared *stored.Shared
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
	e := &Engine{
		store: s, workerIn: in, shared: o.Shared, now: o.Now, uptime: o.Uptime, fault: o.Fault, owner: o.Owner,
		checkpointEvery: o.CheckpointEvery, checkpoints: o.Checkpoints, discard: o.Discard, onlyCommit: o.OnlyCommit,
		limits: o.Limits, session: o.Session, warn: o.Warn, spaceWait: o.SpaceWait,
	}
	e.loops = e.admitting(store.Admission{})
	e.worker = func(l stored.LoopLease) *worker.Worker {
		w := in(l.Dir())
		w.Trees, w.Files, w.Owned = trees{l.Trees(), o.Fault}, engine.Layout{Dir: l.Dir()}, l.Owned
		w.Recall = e.recall
		return w
	}
	return e
}

// loops are a store of loops whose leases pay, too, for agents and reviewers.
type loops = engine.Store[loop.State, loop.Event, stored.LoopLease]

// admitting returns the loops for a caller that may run only so many.
func (e *Engine) admitting(a store.Admission) loops {
	here := stored.LoopsOf(e.store)
	here.Admit = a
	if e.shared == nil {
		return here
	}
	own := *e.shared
	own.Loops = here
	return own
}

// Start records the loop, before any git or gate work, and drives it.
func (e *Engine) Start(ctx context.Context, spec loop.Spec, o engine.Options, d engine.Drive) (loop.State, error) {
	if err := spec.Validate(); err != nil {
		return loop.State{}, err
	}
	if err := e.workerIn("").CanConfine(ctx, spec); err != nil {
		return loop.State{}, err
	}
	if err := e.RecordDue(ctx); err != nil { // an agent-driven loop whose time is over counts against the limit of loops until then
		return loop.State{}, err
	}
	e.fault("before:create")
	lease, err := e.admitting(admission(o)).Create(ctx, loop.New(spec, e.now().Round(0)), nil)
	if err != nil {
		return loop.State{}, err
	}
	e.fault("after:create")
	if spec.RetryOf != "" {
		e.noteRetried(ctx, spec.RetryOf, spec.ID)
	}
	r, err := e.runner(ctx, lease, d)
	if err != nil {
		return loop.State{}, errors.Join(situation.Of(err), lease.Release(ctx))
	}
	if err := r.Commit(ctx, loop.Acquired{Stamp: e.stamp(), Owner: e.owner, Place: d.Place}); err != nil {
		return r.State(), errors.Join(situation.Of(err), lease.Release(ctx))
	}
	return e.drive(ctx, r)
}

// Resume takes the loop, ends what its last owner left running, and drives it.
func (e *Engine) Resume(ctx context.Context, id string, o engine.Options, d engine.Drive) (loop.State, error) {
	before, _ := e.loops.Read(ctx, id) // it only explains; Acquire returns what is wrong
	if err := engine.MovedOf(before.State); err != nil {
		return before.State, err
	}
	lease, err := e.admitting(admission(o)).Acquire(ctx, id, nil, o.TakeOver)
	if err != nil {
		return loop.State{}, err
	}
	r, err := e.recover(ctx, lease, d, before.Gap(o.TakeOver))
	if err != nil {
		return loop.State{}, err
	}
	if old, err := e.store.Read(ctx, r.State().RetryOf); err == nil && old.State.RetriedBy == "" {
		e.noteRetried(ctx, old.State.ID, id) // its first process was killed before it did
	}
	if r.State().Status.Terminal() {
		e.learn(ctx, id)
		return r.State(), errors.Join(engine.ErrEnded, lease.Release(ctx))
	}
	if err := e.workerIn("").CanConfine(ctx, r.State().Spec); err != nil {
		return r.State(), errors.Join(err, e.release(ctx, lease))
	}
	var checkpoints []loop.Checkpoint
	if o.From > 0 {
		if checkpoints, err = e.Checkpoints(ctx, id); err != nil {
			return r.State(), errors.Join(err, e.release(ctx, lease))
		}
	}
	if err := r.ApplyOptions(ctx, o, checkpoints); err != nil {
		return r.State(), errors.Join(situation.Of(err), e.release(ctx, lease))
	}
	return e.drive(ctx, r)
}

// recover recovers the run of a new lease. Without an error the runner has it.
func (e *Engine) recover(ctx context.Context, lease stored.LoopLease, d engine.Drive, gap loop.Gap) (*runner.Runner, error) {
	r, err := e.runner(ctx, lease, d)
	if err != nil {
		return nil, errors.Join(situation.Of(err), lease.Release(ctx))
	}
	if r.State().Status.Terminal() {
		return r, nil
	}
	err = r.Recover(ctx, gap)
	if s := r.State(); err == nil && (e.shared != nil || s.Root == "" && s.Origin != nil) { // else it moved here
		err = r.MoveHere(ctx)
	}
	if err != nil {
		return nil, errors.Join(situation.Of(err), lease.Release(ctx))
	}
	if r.State().InPlace && r.State().Worktree != "" {
		if err := lease.Trees().Lock(ctx, r.State().Worktree); err != nil {
			return nil, errors.Join(situation.Of(err), lease.Release(ctx))
		}
	}
	return r, nil
}

func (e *Engine) runner(ctx context.Context, lease stored.LoopLease, d engine.Drive) (*runner.Runner, error) {
	return runner.New(ctx, runner.Config{
		Lease: lease, Worker: e.worker(lease), Drive: d, Owner: e.owner, Now: e.now, Fault: e.fault,
		CheckpointEvery: e.checkpointEvery, Limits: e.limits, Warn: e.warn, Session: e.session, SpaceWait: e.spaceWait,
	})
}
