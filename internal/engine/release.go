package engine

import (
	"context"
	"errors"

	"ralph/internal/journal"
)

// Release ends a lease, and executes the messages that were sent to its owner meanwhile.
//
// A sender leaves its message to the owner that it sees alive. The owner reads its inbox
// for the last time, and then releases the run: a message that is sent in between would
// be read by neither. So both look once more, the sender by ExecuteLeft:
//
//	owner    reads the inbox ─▶ releases ─▶ unread? ─▶ acquires, executes, releases ─▶ unread? …
//	sender   sees the owner  ─▶ sends    ─▶ unread? ─▶ acquires, executes, releases ─▶ unread? …
//
// The later one of the two finds the message, and no owner. Where both find it, Acquire
// refuses one of them, which leaves it to the other: that one looks again after its own
// release. execute takes every message of the inbox, or fails.
func Release[S any, E journal.Event, L Lease[S, E]](ctx context.Context, s Store[S, E, L], l Lease[S, E], execute func(context.Context, L) error) error {
	ctx = context.WithoutCancel(ctx)
	if err := l.Release(ctx); err != nil {
		return err
	}
	return ExecuteLeft(ctx, s, l.ID(), execute)
}

// ExecuteLeft is called after a message was sent to the owner of a run: where that one
// has released the run without reading it, the message is executed here.
func ExecuteLeft[S any, E journal.Event, L Lease[S, E]](ctx context.Context, s Store[S, E, L], id string, execute func(context.Context, L) error) error {
	waits, err := s.Unread(ctx, id)
	if err != nil || !waits {
		return err
	}
	l, err := s.Acquire(ctx, id, nil, false)
	if errors.Is(err, ErrRunning) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := execute(ctx, l); err != nil {
		return errors.Join(err, l.Release(context.WithoutCancel(ctx)))
	}
	return Release(ctx, s, l, execute)
}
