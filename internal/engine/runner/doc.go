// Package runner drives one loop under a lease, wherever runs live: it asks the
// machine what to do, lets a worker do it, and records what came of it.
//
// One step:
//
//	inbox ─▶ Apply         what users asked meanwhile
//	Next  ─▶ an action     from the state alone
//	         AttemptBegan  recorded before an agent starts
//	         Worker        does it, while the inbox, deadlines and stops are
//	                       watched; they may cut it off
//	event ─▶ Apply ─▶ one commit under the lease
//
// The same code runs for a database on this machine and for any other engine that
// grants an engine.LoopLease.
package runner

import (
	"context"
	"time"

	"ralph/internal/agent"
	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store/limits"
)

// Worker performs the actions of one loop. Package worker has the one that uses git,
// agents and gates.
type Worker interface {
	// Do performs an action and returns the event that reports it. It ends soon
	// after ctx does, and then leaves no process behind.
	Do(ctx context.Context, s loop.State, a loop.Action, h *worker.Hooks) (loop.Event, error)
	// Begin writes the prompt of an attempt.
	Begin(ctx context.Context, s loop.State, a loop.Action) (loop.AttemptBegan, error)
	// Recover ends what an earlier owner left running, and repairs the worktrees.
	Recover(ctx context.Context, s loop.State) (ended int, err error)
	// Move makes the trees of a loop that another machine ran; false: it was this one.
	Move(ctx context.Context, s loop.State) (loop.Moved, bool, error)
	// LostTree describes a worktree that is gone, for the next prompt; "" is none.
	LostTree(s loop.State) string
	// Lacks returns an error while a disk that the loop needs is full, or a directory is
	// gone or cannot be written.
	Lacks(s loop.State) error

	// Checkpoint keeps the content of the agent's tree, Restore puts it back.
	Checkpoint(ctx context.Context, s loop.State, n int) (commit string, number int, err error)
	Restore(ctx context.Context, s loop.State, c loop.Checkpoint) (loop.Restored, error)

	// Consults reports whether an action asks reviewers that cost money.
	Consults(s loop.State, a loop.Action) bool
	// UsedIn is what an attempt that was cut off had reported; Priced adds the cost
	// by the price list.
	UsedIn(attempt int) (loop.Usage, string)
	Priced(a loop.Agent, u loop.Usage, model string) loop.Usage
	// Quota is the account whose limits an agent meets.
	Quota(a loop.Agent) agent.Quota
}

var _ Worker = (*worker.Worker)(nil)

// Config is what a Runner works with.
type Config struct {
	Lease  engine.LoopLease
	Worker Worker
	Drive  engine.Drive
	// Owner is how this process is shown to others.
	Owner string
	Now   func() time.Time
	// Fault is called at every point at which a crash must be survived.
	Fault func(point string)
	// CheckpointEvery is how much work lies between two checkpoints; 0 makes none
	// but at soft deadlines.
	CheckpointEvery time.Duration
	// Limits is the store of usage limits that all loops of the machine share; nil
	// is none. Warn receives its errors.
	Limits *limits.Book
	Warn   func(error)
	// Session is the budget of this process.
	Session money.Session
	// SpaceWait waits where a disk is full; nil: the run ends with ErrNoSpace.
	SpaceWait engine.SpaceWait
}
