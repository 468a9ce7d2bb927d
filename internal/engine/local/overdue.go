package local

import (
	"context"
	"errors"

	"ralph/internal/loop"
	"ralph/internal/store"
)

// overdue takes the default of the loop's open question if its time is over. It is
// no business of an agent at work: one that has ended its turn for the answer is run
// again only where the question was open until then, and one that waits for it
// says itself when the time is over (engine.Wake). An answer that lies in the inbox
// has been given in time.
func (r *runner) overdue(ctx context.Context) (taken bool, err error) {
	q := r.state.Open()
	if q == nil || q.Deadline.IsZero() || r.state.Status == loop.Paused {
		return false, nil
	}
	r.answer.Hear(q.Deadline, r.now())
	if r.answer.Left() > 0 {
		return false, nil
	}
	err = r.apply(ctx, loop.Woke{Stamp: r.stamp(), Question: q.ID})
	if errors.Is(err, store.ErrAnswered) {
		return true, r.inbox(ctx)
	}
	return true, err
}
