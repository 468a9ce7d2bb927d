package local

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
)

// noteRetried notes on a loop that has ended which one does its task again. Where that
// fails, the old loop stays among those that need a person.
func (e *Engine) noteRetried(ctx context.Context, id, by string) {
	_ = e.withEnded(ctx, id, func(lease stored.LoopLease) error {
		if lease.State().RetriedBy == by { // another machine noted it
			return nil
		}
		_, err := engine.CommitLoop(ctx, lease, loop.Retried{Stamp: e.stamp(), By: by})
		return err
	})
}

// closeOthers notes on other loops of the task that has been accepted that it was done by
// this one: what failed before needs no person any more.
func (e *Engine) closeOthers(ctx context.Context, s loop.State) {
	list, err := e.List(ctx, engine.Filter{Unclosed: true, Apart: true})
	if err != nil {
		return
	}
	for _, l := range list {
		if l.State.ClosedBy(s) {
			e.noteRetried(ctx, l.State.ID, s.ID)
		}
	}
}
