package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// run is a plan under way.
type run struct {
	*Planner
	lease *store.PlanLease
	spec  engine.PlanSpec
	drive engine.PlanDrive
	force bool

	state plan.State
	graph *plan.Graph
	book  *book

	// flying are the actions under way by their keys; back is where they report.
	flying map[string]*flight
	back   chan landing
	stops  engine.Stop
	// failed counts how often the hands of an action failed, by its key.
	failed map[string]int

	// touched are the files that running loops have changed so far, by task.
	mu      sync.Mutex
	touched map[string][]string
}

// flight is an action under way.
type flight struct {
	task  string
	stops chan engine.Stop
	cut   context.CancelCauseFunc
}

// landing is how an action ended: events to record, or an error of ralph's own.
type landing struct {
	key    string
	task   string
	events []plan.Event
	err    error
}

// lookEvery is how often a run looks for what nobody tells it: messages, the
// plan's file, answers to loops that rest.
const lookEvery = time.Second

// crank turns until nothing goes on by itself. It looks before it turns: what
// was answered while nobody ran the plan goes on now.
func (r *run) crank(ctx context.Context) error {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	if err := r.look(ctx); err != nil {
		return err
	}
	for {
		if err := r.turn(ctx); err != nil {
			return err
		}
		if len(r.flying) == 0 && r.resting() && !r.expects() {
			return nil
		}
		select {
		case l := <-r.back:
			if err := r.landed(ctx, l); err != nil {
				return err
			}
		case stop := <-r.drive.Stops:
			if err := r.stop(ctx, stop); err != nil {
				return err
			}
		case <-look.C:
			if err := r.look(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (r *run) resting() bool {
	return r.state.Status != loop.Running
}

// turn begins what may go on now.
func (r *run) turn(ctx context.Context) error {
	for {
		again := false
		for _, a := range plan.Next(r.graph, r.state, r.touching()) {
			if _, ok := r.flying[a.Key]; ok {
				continue
			}
			moved, err := r.begin(ctx, a)
			if err != nil {
				return err
			}
			again = again || moved
		}
		if !again {
			if err := r.book.flush(ctx, &r.state, r.graph, false); err != nil {
				return err
			}
			return r.note(ctx)
		}
	}
}

// note says why the file is not as true as the record, once.
func (r *run) note(ctx context.Context) error {
	if r.book.note == r.state.Note {
		return nil
	}
	return r.apply(ctx, plan.Noted{Stamp: r.stamp(), Text: r.book.note})
}

// begin starts an action. It answers true when the state has changed already.
func (r *run) begin(ctx context.Context, a plan.Action) (moved bool, err error) {
	switch a.Do {
	case plan.DoStart:
		if a.Plans {
			return true, r.planning(ctx, a)
		}
		return true, r.start(ctx, a)
	case plan.DoAsk:
		t := r.state.Task(a.Task)
		return true, r.apply(ctx, plan.Asked{Stamp: r.stamp(), Question: plan.FailureQuestion(*t)})
	case plan.DoRest:
		return r.rest(ctx, a)
	case plan.DoLand:
		if r.state.Task(a.Task).Onto == "" {
			return true, r.apply(ctx, plan.LandBegan{Stamp: r.stamp(), Task: a.Task, Onto: r.state.Tip})
		}
	case plan.DoProve:
		if moved, err := r.proof(ctx); moved || err != nil {
			return moved, err
		}
	}
	r.fly(ctx, a)
	return false, nil
}

// rest notes that nothing goes on, unless something is still coming in.
func (r *run) rest(ctx context.Context, a plan.Action) (bool, error) {
	if len(r.flying) > 0 || r.state.Status == a.Rest.Status && r.state.Reason == a.Rest.Reason {
		return false, nil
	}
	rested := a.Rest
	rested.Stamp = r.stamp()
	return true, r.apply(ctx, rested)
}

// fly does an action in a goroutine of its own.
func (r *run) fly(ctx context.Context, a plan.Action) {
	inner, cut := context.WithCancelCause(ctx)
	f := &flight{task: a.Task, stops: make(chan engine.Stop, 8), cut: cut}
	r.flying[a.Key] = f
	if r.stops > 0 {
		f.stops <- r.stops
	}
	// What an action needs of the state is read before it flies.
	do := r.action(a, f)
	go func() {
		defer cut(nil)
		events, err := do(inner)
		r.back <- landing{key: a.Key, task: a.Task, events: events, err: err}
	}()
}

func (r *run) action(a plan.Action, f *flight) func(context.Context) ([]plan.Event, error) {
	switch a.Do {
	case plan.DoRun:
		return r.runTask(a, f)
	case plan.DoLand:
		return r.land(a, f)
	case plan.DoReview:
		return r.reviewTask(a)
	case plan.DoProve:
		return r.prove(f)
	case plan.DoReviewPlan:
		return r.reviewPlan()
	}
	return func(context.Context) ([]plan.Event, error) {
		return nil, fmt.Errorf("no hand for action %q", a.Do)
	}
}

// landed records what an action reported.
func (r *run) landed(ctx context.Context, l landing) error {
	delete(r.flying, l.key)
	switch {
	case errors.Is(l.err, engine.ErrFenced), ctx.Err() != nil:
		return errors.Join(l.err, context.Cause(ctx))
	case l.err != nil && r.again(l.key):
		return nil
	case l.err != nil:
		l.events = append(l.events, plan.Broken{Stamp: r.stamp(), Task: l.task, Message: l.err.Error()})
	}
	r.touch(l.task, nil)
	if r.state.Status.Terminal() {
		return nil
	}
	for _, e := range l.events {
		if err := r.apply(ctx, e); err != nil {
			return err
		}
		if _, ok := e.(plan.Landed); ok || isProof(e) {
			if err := r.keepBranch(ctx); err != nil {
				return err
			}
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

// keepBranch brings the integration branch to the tip. One that somebody else
// has moved ends the run: nobody may guess which of the two is meant.
func (r *run) keepBranch(ctx context.Context) error {
	err := r.syncBranch(ctx)
	if moved, ok := errors.AsType[*movedError](err); ok && !r.state.Status.Terminal() {
		return r.apply(ctx, plan.Broken{Stamp: r.stamp(), Message: moved.Error()})
	}
	return err
}

func isProof(e plan.Event) bool {
	p, ok := e.(plan.Proof)
	return ok && p.Commit != ""
}

// apply changes the state by an event and records it.
func (r *run) apply(ctx context.Context, e plan.Event, took ...int64) error {
	next, err := plan.Apply(r.state, e)
	if err != nil {
		return err
	}
	r.fault("before:" + plan.Name(e))
	if err := r.lease.Commit(context.WithoutCancel(ctx), next, []plan.Event{e}, took...); err != nil {
		return fmt.Errorf("record %s: %w", plan.Name(e), err)
	}
	r.fault("after:" + plan.Name(e))
	r.state = next
	if r.drive.Watch != nil {
		r.drive.Watch(next, e)
	}
	return nil
}

func (p *Planner) fault(point string) {
	if p.Fault != nil {
		p.Fault(point)
	}
}

// stop passes a wish to stop on to everything under way.
func (r *run) stop(ctx context.Context, stop engine.Stop) error {
	r.stops = max(r.stops, stop)
	for _, f := range r.flying {
		select {
		case f.stops <- stop:
		default:
		}
	}
	if r.state.PauseAsked || r.state.Status.Terminal() {
		return nil
	}
	return r.apply(ctx, plan.PauseAsked{Stamp: r.stamp(), By: "signal"})
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

// touch notes the files that the loop of a task has changed.
func (r *run) touch(task string, files []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if files == nil {
		delete(r.touched, task)
		return
	}
	r.touched[task] = files
}

func (r *run) touching() map[string][]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.touched)
}

var errLeft = errors.New("the run of the plan was left")
