package planner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/journal"
	"ralph/internal/plan"
)

// job is an action in flight. Only the event loop reads and writes it: its task may
// get another id meanwhile.
type job struct {
	task string
	// key is that of its action.
	key   string
	stops chan engine.Stop
	// now ends a wait for reviewers.
	now chan struct{}
	cut context.CancelCauseFunc
	// ended is closed when the plan has ended and nothing is to start any more.
	ended chan struct{}
	once  sync.Once
	// reviews is set for jobs that ask reviewers.
	reviews bool
	// begun is set once the loop or plan of the job has begun.
	begun atomic.Bool
	// child is set for jobs that run a plan. after is when a delayed action starts,
	// told the end of its loop's wait as it was last recorded.
	child       bool
	after, told time.Time
}

// result is how a job ended: events to record, or an error of ralph's own.
type result struct {
	key string
	// task is the id that the task had when the job started; of is the job.
	task   string
	of     *job
	events []plan.Event
	err    error
}

// startJob does an action in a goroutine of its own.
func (r *run) startJob(ctx context.Context, a plan.Action) {
	inner, cut := context.WithCancelCause(ctx)
	f := &job{task: a.Task, key: a.Key, stops: make(chan engine.Stop, 8), now: make(chan struct{}, 1), cut: cut, ended: make(chan struct{}), after: a.After}
	f.reviews = a.Do == plan.DoReview || a.Do == plan.DoReviewPlan
	r.jobs[a.Key] = f
	if r.stops > 0 {
		f.stops <- r.stops
	}
	// A job reads the parts of the state that it needs before it starts.
	do, err := r.jobFor(ctx, a, f)
	go func() {
		defer cut(nil)
		var events []plan.Event
		if err == nil {
			err = r.retryInterrupted(inner, f.ended, func() (err error) {
				events, err = do(inner)
				return err
			})
		}
		r.results <- result{key: a.Key, task: a.Task, of: f, events: events, err: err}
	}()
}

// jobFunc does an action. It must not read the run's state, which the event loop
// changes meanwhile.
type jobFunc func(context.Context) ([]plan.Event, error)

func (r *run) jobFor(ctx context.Context, a plan.Action, f *job) (jobFunc, error) {
	if a.Do == plan.DoReview || a.Do == plan.DoReviewPlan {
		// Reviewers are shown the plan's file: it must match the record.
		if err := r.doc.flush(ctx, &r.state, r.graph, true); err != nil {
			return nil, err
		}
	}
	switch a.Do {
	case plan.DoRun:
		return r.runTask(a, f), nil
	case plan.DoLand:
		return r.land(ctx, a, f)
	case plan.DoReview:
		return r.delayed(a, f, r.reviewTask(a)), nil
	case plan.DoProve:
		return r.prove(f), nil
	case plan.DoReviewPlan:
		return r.delayed(a, f, r.reviewPlan()), nil
	}
	return nil, fmt.Errorf("no job for action %q", a.Do)
}

// finished records the report of a job.
func (r *run) finished(ctx context.Context, l result) error {
	delete(r.jobs, l.key)
	switch {
	case errors.Is(l.err, engine.ErrFenced), ctx.Err() != nil:
		return errors.Join(l.err, context.Cause(ctx))
	case isUnreached(l.err): // another worker may reach it
		return l.err
	case errors.Is(l.err, engine.ErrStopped):
		return nil // it continues with the plan
	case l.err != nil && !worker.Interruption(l.err).Interrupts() && r.again(l.key):
		return nil
	case l.err != nil:
		r.endBroken(ctx, l.of.task)
		l.events = append(l.events, plan.Broken{Stamp: r.stamp(), Task: l.task, Message: l.err.Error()})
	}
	r.touched.forget(l.of)
	r.limitWaits.forget(l.of)
	if r.state.Status.Terminal() {
		return nil
	}
	for _, e := range l.events {
		if l.task != l.of.task {
			e = plan.Renamed(e, l.task, l.of.task)
		}
		e = r.state.Current(e)
		err := r.commit(ctx, e)
		if _, refused := errors.AsType[*journal.RefusedError](err); refused && r.again(l.key) {
			return nil // the plan has changed meanwhile: its next tasks start now
		}
		if err != nil {
			return err
		}
		if err := r.syncBranchAfter(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// tries is how often an action is done whose job fails.
const tries = 3

func (r *run) again(key string) bool {
	r.failed[key]++
	return r.failed[key] < tries
}

// stop forwards a request to stop to every job.
func (r *run) stop(ctx context.Context, stop engine.Stop) error {
	r.stops = max(r.stops, stop)
	r.stopJobs(stop)
	if r.state.PauseAsked || r.state.Status.Terminal() {
		return nil
	}
	return r.commit(ctx, plan.PauseAsked{Stamp: r.stamp(), By: "signal"})
}

// stopJobs asks every job to stop. One with eight unread requests needs no more.
func (r *run) stopJobs(stop engine.Stop) {
	for _, f := range r.jobs {
		select {
		case f.stops <- stop:
		default:
		}
	}
}

// end notifies a job that the plan has ended. Its loop gets an abort of its own;
// reviewers are cut off here.
func (j *job) end() {
	j.once.Do(func() { close(j.ended) })
	if j.reviews {
		j.cut(errEnded)
	}
}

// waitForJobs cuts off the jobs in flight and waits for them.
func (r *run) waitForJobs() {
	for _, f := range r.jobs {
		f.cut(errLeft)
	}
	for len(r.jobs) > 0 {
		delete(r.jobs, (<-r.results).key)
	}
}

var (
	errLeft  = errors.New("the run of the plan was left")
	errEnded = errors.New("the plan was ended")
)
