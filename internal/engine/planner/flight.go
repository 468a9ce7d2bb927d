package planner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// flight is an action under way. Its task may get another id meanwhile: that is
// the run's to know, and not for the goroutine of the action.
type flight struct {
	task  string
	stops chan engine.Stop
	// now ends a wait for reviewers.
	now chan struct{}
	cut context.CancelCauseFunc
	// ended: the plan was, and nothing is to be begun any more.
	ended chan struct{}
	once  sync.Once
	// judges: it asks reviewers.
	judges bool
	// child: it runs a plan. after is when an action begins that waits for a time,
	// told until when the run has said that its loop waits.
	child       bool
	after, told time.Time
}

// arrival is how an action ended: events to record, or an error of ralph's own.
type arrival struct {
	key string
	// task is the id that the task had when the action began; of is the action.
	task   string
	of     *flight
	events []plan.Event
	err    error
}

// fly does an action in a goroutine of its own.
func (r *run) fly(ctx context.Context, a plan.Action) {
	inner, cut := context.WithCancelCause(ctx)
	f := &flight{task: a.Task, stops: make(chan engine.Stop, 8), now: make(chan struct{}, 1), cut: cut, ended: make(chan struct{}), after: a.After}
	f.judges = a.Do == plan.DoReview || a.Do == plan.DoReviewPlan
	r.flying[a.Key] = f
	if r.stops > 0 {
		f.stops <- r.stops
	}
	// What an action needs of the state is read before it flies.
	do, err := r.action(ctx, a, f)
	go func() {
		defer cut(nil)
		var events []plan.Event
		if err == nil {
			events, err = do(inner)
		}
		r.back <- arrival{key: a.Key, task: a.Task, of: f, events: events, err: err}
	}()
}

// hand is what an action does while the run goes on. It must not look at the
// run's state, which others change meanwhile.
type hand func(context.Context) ([]plan.Event, error)

func (r *run) action(ctx context.Context, a plan.Action, f *flight) (hand, error) {
	if a.Do == plan.DoReview || a.Do == plan.DoReviewPlan {
		// Reviewers are shown the plan's file: it must say what the record says.
		if err := r.book.flush(ctx, &r.state, r.graph, true); err != nil {
			return nil, err
		}
	}
	switch a.Do {
	case plan.DoRun:
		return r.runTask(a, f), nil
	case plan.DoLand:
		return r.land(ctx, a, f)
	case plan.DoReview:
		return r.later(a, f, r.reviewTask(a)), nil
	case plan.DoProve:
		return r.prove(f), nil
	case plan.DoReviewPlan:
		return r.later(a, f, r.reviewPlan()), nil
	}
	return nil, fmt.Errorf("no hand for action %q", a.Do)
}

// arrived records what an action reported.
func (r *run) arrived(ctx context.Context, l arrival) error {
	delete(r.flying, l.key)
	switch {
	case errors.Is(l.err, engine.ErrFenced), ctx.Err() != nil:
		return errors.Join(l.err, context.Cause(ctx))
	case l.err != nil && r.again(l.key):
		return nil
	case l.err != nil:
		l.events = append(l.events, plan.Broken{Stamp: r.stamp(), Task: l.task, Message: l.err.Error()})
	}
	r.touched.forget(l.of)
	r.naps.forget(l.of)
	if r.state.Status.Terminal() {
		return nil
	}
	for _, e := range l.events {
		if l.task != l.of.task {
			e = plan.Renamed(e, l.task, l.of.task)
		}
		err := r.apply(ctx, e)
		if _, refused := errors.AsType[*plan.RefusedError](err); refused && r.again(l.key) {
			return nil // the plan has moved on under it: what is to be done now is begun
		}
		if err != nil {
			return err
		}
		if err := r.keepBranch(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// tries is how often an action is done whose hands failed: a git process that
// was killed says nothing about the work.
const tries = 3

func (r *run) again(key string) bool {
	r.failed[key]++
	return r.failed[key] < tries
}

// stop passes a wish to stop on to everything under way.
func (r *run) stop(ctx context.Context, stop engine.Stop) error {
	r.stops = max(r.stops, stop)
	r.passOn(stop)
	if r.state.PauseAsked || r.state.Status.Terminal() {
		return nil
	}
	return r.apply(ctx, plan.PauseAsked{Stamp: r.stamp(), By: "signal"})
}

// passOn tells everything under way to stop. Whoever has heard it eight times
// need not hear it again.
func (r *run) passOn(stop engine.Stop) {
	for _, f := range r.flying {
		select {
		case f.stops <- stop:
		default:
		}
	}
}

// end tells an action that the plan was ended. Its loop is told by itself; reviewers
// have nobody else who would.
func (f *flight) end() {
	f.once.Do(func() { close(f.ended) })
	if f.judges {
		f.cut(errEnded)
	}
}

// home waits for what is still under way: nothing of ours runs on.
func (r *run) home() {
	for _, f := range r.flying {
		f.cut(errLeft)
	}
	for len(r.flying) > 0 {
		delete(r.flying, (<-r.back).key)
	}
}

var (
	errLeft  = errors.New("the run of the plan was left")
	errEnded = errors.New("the plan was ended")
)
