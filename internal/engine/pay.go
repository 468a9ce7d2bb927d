package engine

import (
	"context"
	"errors"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/review"
)

// LongestRun is how long a run without a deadline counts as under way.
const LongestRun = 24 * time.Hour

// Within is a deadline that ends no later than a budget of time does; 0 is no
// bound.
func Within(d loop.Deadline, wall time.Duration) loop.Deadline {
	if wall > 0 && (d.Hard == 0 || wall < d.Hard) {
		d.Hard = wall
	}
	return d
}

// Tab is what a review is paid from that belongs to no loop. The lease of a plan
// is one.
type Tab interface {
	// Hold reserves what reviewers may use until then, or refuses with a
	// *money.RefusedError; wall is how long they may take, 0 is no bound.
	Hold(ctx context.Context, s money.Session, until time.Time) (review int64, wall time.Duration, err error)
	// Settle replaces that by what they have used.
	Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error
}

// Pay holds a review that is paid from a tab: ask is review.Magi or review.Ask.
// While others that are under way have reserved what is left it waits for them;
// where a budget is used up nobody is asked, and the error is a
// *money.RefusedError. Whatever became of the review, it is settled.
func (w *Worker) Pay(ctx context.Context, tab Tab, r review.Request, ask func(context.Context, review.Request) (review.Outcome, error)) (review.Outcome, error) {
	held, wall, err := w.room(ctx, tab)
	if err != nil {
		return review.Outcome{}, err
	}
	r.Desk.Timeout = Within(r.Desk.Timeout, wall)
	out, err := ask(ctx, w.discreet(r))
	w.Bill(&out)
	return out, errors.Join(err, tab.Settle(context.WithoutCancel(ctx), held, Bills(out), err != nil))
}

// roomEvery is how often is looked whether a budget has room again.
const roomEvery = time.Second

// room reserves, as soon as there is something left to reserve.
func (w *Worker) room(ctx context.Context, tab Tab) (held int64, wall time.Duration, err error) {
	look := time.NewTicker(roomEvery)
	defer look.Stop()
	for {
		held, wall, err = tab.Hold(ctx, w.Session, w.now().Add(LongestRun))
		refused, is := errors.AsType[*money.RefusedError](err)
		if !is || refused.Verdict != money.Busy {
			return held, wall, err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return 0, 0, context.Cause(ctx)
		}
	}
}
