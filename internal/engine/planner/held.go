package planner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ralph/internal/plan"
	"ralph/internal/review"
)

// held is how a review goes on that too few reviewers could be had for: as those of
// a loop do, it waits for the end of their usage limit, and asks a provider that
// failed a few times more. False: only a person can help.
func (r *run) held(i inspection, out review.Outcome) (plan.ReviewHeld, bool) {
	now := r.stamp()
	until, soon := out.Later(now.At)
	if limits := r.spec.Task.Limits; until.IsZero() && soon && i.held.Times < limits.Transient {
		until = now.At.Add(limits.Delay(i.held.Times))
	}
	return plan.ReviewHeld{Stamp: now, Task: i.task, Until: until, Why: out.Reason}, !until.IsZero()
}

// lookAgain bounds how long a wait trusts a timer, which stands still while a
// machine sleeps.
const lookAgain = 30 * time.Second

// later does an action when its time has come. A wish to stop ends it without
// anything done: the same is asked for when the run goes on.
func (r *run) later(a plan.Action, f *flight, do hand) hand {
	return func(ctx context.Context) ([]plan.Event, error) {
		for rest := a.After.Sub(r.Now()); rest > 0; rest = a.After.Sub(r.Now()) {
			select {
			case <-time.After(min(rest, lookAgain)):
			case <-f.now:
				return do(ctx)
			case <-f.stops:
				return nil, nil
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
		return do(ctx)
	}
}

// wakeUp has reviewers asked now that were waited for.
func (r *run) wakeUp() {
	for _, f := range r.flying {
		select {
		case f.now <- struct{}{}:
		default:
		}
	}
}

// heldWords say which reviews wait, until when and why.
func (r *run) heldWords() string {
	holds := r.state.ReviewHolds()
	var all []string
	for _, task := range slices.Sorted(maps.Keys(holds)) {
		h := holds[task]
		all = append(all, fmt.Sprintf("the review of %s waits until %s: %s; ralph resume %s --now asks again at once",
			cmp.Or(task, "the plan"), hour(h.Until, r.Now()), h.Why, r.spec.ID))
	}
	return strings.Join(all, "; ")
}

// hour is a time of the day of whoever reads it, with the day where that is another.
func hour(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}
