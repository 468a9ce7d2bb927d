package planner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/review"
	"ralph/internal/text"
)

// A loop whose agent's provider does not serve stays in flight and waits, often for
// hours. The run records that once. Where a person is at the terminal and all jobs
// in flight wait, the run rests: a question is not kept back for an hour.

// limitWait is what the loop of a job waits for: its agent's provider, or the end of
// quiet hours.
type limitWait struct {
	until time.Time
	why   string
}

// limitWaits are those of the loops in flight, by their jobs. Loops report to it
// while the event loop decides.
type limitWaits struct {
	mu  sync.Mutex
	all map[*job]limitWait
}

// put notes how a loop stands now.
func (n *limitWaits) put(f *job, s loop.State) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		n.all = map[*job]limitWait{}
	}
	if s.AwaitsStart() && !s.Wake.IsZero() {
		why := s.Message
		if s.Reason != loop.ForLimit {
			why = strings.ReplaceAll(string(s.Reason), "_", " ") + ": " + why
		}
		n.all[f] = limitWait{s.Wake, why}
		return
	}
	delete(n.all, f)
}

func (n *limitWaits) of(f *job) limitWait {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all[f]
}

func (n *limitWaits) forget(f *job) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.all, f)
}

// recordLimitWaits records waits of loops that are new, and those that are over.
func (r *run) recordLimitWaits(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	for _, f := range r.jobs {
		now := r.limitWaits.of(f)
		if now.until.Equal(f.told) {
			continue
		}
		f.told = now.until
		e := plan.TaskWaits{Stamp: r.stamp(), Task: f.task, Until: now.until, Why: now.why}
		if err := r.commit(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// soon is too short a wait for the run to rest.
const soon = 10 * time.Second

// yields reports whether the run rests although jobs are in flight: a question is
// open, the caller asks a person once nothing runs, and all jobs wait for a time.
// The caller resumes the run when that time has come.
func (r *run) yields(ctx context.Context) (bool, error) {
	asks, open := plan.Asking(r.graph, r.state)
	if !r.drive.Rests || !open || r.state.PauseAsked || r.state.Status != loop.Running {
		return false, nil
	}
	for _, f := range r.jobs {
		until := r.limitWaits.of(f).until
		if until.IsZero() {
			until = f.after
		}
		if f.child || until.Sub(r.Now()) < soon {
			return false, nil
		}
	}
	if heard, err := r.executeNew(ctx); heard || err != nil {
		return false, err // it may change the question
	}
	if err := r.recordLimitWaits(ctx); err != nil { // nothing records it at rest
		return false, err
	}
	asks.Stamp = r.stamp()
	return true, r.commit(ctx, asks)
}

// held returns the wait of a review without a quorum: as in a loop, it waits for the
// end of the reviewers' usage limit, and asks a provider that failed a few times
// more. False is returned where only a person can help.
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

// delayed does an action when its time has come. A request to stop ends it without
// any event: the run asks for the same action again when it is resumed.
func (r *run) delayed(a plan.Action, f *job, do jobFunc) jobFunc {
	return func(ctx context.Context) ([]plan.Event, error) {
		for rest := a.After.Sub(r.Now()); rest > 0; rest = a.After.Sub(r.Now()) {
			select {
			case <-time.After(min(rest, lookAgain)):
			case <-f.now:
				return do(context.WithValue(ctx, woken{}, true))
			case <-f.stops:
				return nil, nil
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
		return do(ctx)
	}
}

// woken marks the context of a job whose wait a person ended.
type woken struct{}

func wokenNow(ctx context.Context) bool { return ctx.Value(woken{}) != nil }

// wakeUp ends the waits for reviewers.
func (r *run) wakeUp() {
	for _, f := range r.jobs {
		select {
		case f.now <- struct{}{}:
		default:
		}
	}
}

// reviewWaits say which reviews wait, until when and why.
func (r *run) reviewWaits() string {
	holds := r.state.ReviewHolds()
	var all []string
	for _, task := range slices.Sorted(maps.Keys(holds)) {
		h := holds[task]
		all = append(all, fmt.Sprintf("the review of %s waits until %s: %s; %s asks again at once",
			cmp.Or(task, "the plan"), text.Clock(h.Until, r.Now().Local()), h.Why, next.Resume(r.spec.ID, "--now")))
	}
	return strings.Join(all, "; ")
}
