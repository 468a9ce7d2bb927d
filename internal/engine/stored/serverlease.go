package stored

import (
	"context"
	"errors"
	"time"

	"ralph/internal/engine"
	"ralph/internal/journal"
)

// Publication is what a commit under a lease on a server names.
type Publication[S any, E journal.Event] struct {
	Before, Next S
	Events       []E
	// Dir has the files of the run.
	Dir   string
	Epoch int64
	// Owned returns nil while the lease on the server holds.
	Owned func(context.Context) error
	// Await tells others what the commit waits for, as engine.Awaiting does.
	Await func(what string)
}

// serverLease is the lease on a server of a run that several machines share, of a loop or of
// a plan.
type serverLease[S any, E journal.Event] struct {
	engine.Lease[S, E]
	// publish makes what a state names available to other machines; nil: it names nothing new.
	publish func(context.Context, Publication[S, E]) error
	dir     string
}

// Commit publishes what a state names, and makes it the state on the server.
func (l serverLease[S, E]) Commit(ctx context.Context, next S, events []E, took ...int64) error {
	if l.publish != nil {
		p := Publication[S, E]{Before: l.State(), Next: next, Events: events, Dir: l.dir, Epoch: l.Epoch(), Owned: l.Lease.Owned, Await: l.await}
		if err := l.publish(ctx, p); err != nil {
			return err
		}
	}
	return l.Lease.Commit(ctx, next, events, took...)
}

func (l serverLease[S, E]) await(what string) {
	if shown, is := l.Lease.(engine.Awaiting); is {
		shown.Await(what)
	}
}

// Owned returns nil while the run is still ours.
func (l serverLease[S, E]) Owned(ctx context.Context) error {
	return untilAnswered(ctx, func() error { return l.Lease.Owned(ctx) })
}

// Inbox lists the messages that no commit took.
func (l serverLease[S, E]) Inbox(ctx context.Context) (all []journal.Message, err error) {
	err = untilAnswered(ctx, func() (err error) {
		all, err = l.Lease.Inbox(ctx)
		return err
	})
	return all, err
}

// again is the pause before a question to a server that does not answer is repeated.
const again = time.Second

// untilAnswered asks until the server answers, or reports that the lease is lost: a server
// that is away says nothing about the work.
func untilAnswered(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		if err == nil || errors.Is(err, engine.ErrFenced) {
			return err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return err
		}
	}
}
