package engine

import (
	"context"

	"ralph/internal/journal"
)

// Lease is the right to write one run, of loops and plans alike: an engine
// grants it to the process that drives the run. S is the state of the run's
// machine, E its events.
//
// Safety is the epoch: it grows with each acquisition, and a commit under an older
// one is refused. An error that is ErrFenced (after the engine named it) means
// that another process took the run over: stop, write nothing more.
type Lease[S any, E journal.Event] interface {
	ID() string
	Epoch() int64
	// State is the committed state, Seq the number of its newest event.
	State() S
	Seq() int64
	// Commit makes next the state and records the events that led to it, with the
	// messages that they carry out. Either all of it is durable, or an error is
	// returned and nothing counts.
	Commit(ctx context.Context, next S, events []E, took ...int64) error
	// Owned returns nil while the run is still ours.
	Owned(ctx context.Context) error
	// Inbox lists the messages that no commit took yet, oldest first.
	Inbox(ctx context.Context) ([]journal.Message, error)
	// Wake signals that there may be a message, or that the run was taken over. It
	// may signal for nothing, and one signal may stand for many.
	Wake() <-chan struct{}
	// ForgetRecovery drops the record of tries by supervisors: the user resumed
	// the run.
	ForgetRecovery(ctx context.Context) error
	// Release ends the lease; again does nothing.
	Release(ctx context.Context) error
}

// Awaiting is a lease whose store shows others what its owner waits for, beside the record:
// what waits cannot be recorded.
type Awaiting interface {
	// Await takes the words of WaitsFor; "" ends the wait.
	Await(what string)
}
