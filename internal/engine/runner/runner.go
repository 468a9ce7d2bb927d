package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/cadence"
	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// Runner drives one loop under one lease.
type Runner struct {
	Config
	state loop.State

	// wake is when the loop's wait is over, answer when its open question's time is.
	wake, answer engine.Until
	// pace is when the next checkpoint is due.
	pace pace
	// accounts are about usage limits.
	accounts accounts

	// stops is the greatest urgency with which the process was asked to stop.
	stops engine.Stop
	// abort is set while an asked-for abort waits for the step to be cut off.
	abort *abort
	// cut ends the step in progress.
	cut context.CancelCauseFunc
}

// New returns the runner of a loop whose lease is held, with nothing done yet.
func New(ctx context.Context, c Config) (*Runner, error) {
	pace, err := paceOf(ctx, c.CheckpointEvery, c.Lease)
	return &Runner{Config: c, state: c.Lease.State(), pace: pace, accounts: accounts{book: c.Limits, warn: c.Warn}}, err
}

// State is the committed state.
func (r *Runner) State() loop.State { return r.state }

// InheritStops continues the urgency with which the runner before was asked to stop.
func (r *Runner) InheritStops(before *Runner) { r.stops = before.stops }

var (
	errCut      = errors.New("the step was cut off")
	errReleased = errors.New("the run was left")
)

// Run steps until the loop stops by itself. What failed on a full disk is done again
// once there is room, as after a crash.
func (r *Runner) Run(ctx context.Context) (loop.State, error) {
	err, left := r.eventLoop(ctx), r.state.Limits.Interruptions
	for lack := r.diskError(err); lack != nil; lack = r.diskError(err) {
		gap := loop.Gap{Cause: loop.GapDiskFull, Since: r.stamp().At}
		if !errors.Is(lack, engine.ErrNoSpace) {
			gap.Cause = loop.GapUnusable
		}
		if err := r.SpaceWait.Await(ctx, r.Drive.Stops, r.Lease.Wake(), lack); err != nil {
			return r.state, err
		}
		if err = r.Recover(ctx, gap); err == nil {
			err = r.eventLoop(ctx)
		} else if worker.Interruption(err).Interrupts() && left > 0 {
			left--
			err = engine.Unusable("the run", err)
		}
	}
	return r.state, err
}

// diskError returns ErrNoSpace or ErrUnusable where that explains an error.
func (r *Runner) diskError(err error) error {
	return engine.DiskError(err, func() error { return r.Worker.Lacks(r.state) })
}

// eventLoop steps until the loop stops by itself.
func (r *Runner) eventLoop(ctx context.Context) error {
	for {
		if err := r.ExecuteInbox(ctx); err != nil {
			return err
		}
		if err := r.betweenSteps(ctx); err != nil {
			return err
		}
		if taken, err := r.overdue(ctx); err != nil {
			return err
		} else if taken {
			continue
		}
		a := loop.Next(r.state)
		if a.Do == loop.DoNothing || a.Question != "" && r.Drive.Rests {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := r.act(ctx, a); err != nil {
			return err
		}
	}
}

// betweenSteps carries out an abort or a pause while nothing is under way.
func (r *Runner) betweenSteps(ctx context.Context) error {
	if r.abort != nil {
		a := *r.abort
		r.abort = nil
		if r.state.Ending != nil { // the step that it was to cut off ended the loop
			return r.commitWith(ctx, r.Lease.Commit, nil, a.message)
		}
		return r.commitWith(ctx, r.Lease.Commit, []loop.Event{loop.AbortAsked{Stamp: r.stamp(), Why: a.why}}, a.message)
	}
	if r.state.PauseAsked {
		return r.Commit(ctx, loop.Interrupted{Stamp: r.stamp(), Why: "paused"})
	}
	return nil
}

func (r *Runner) act(ctx context.Context, a loop.Action) error {
	switch a.Do {
	case loop.DoWait:
		return r.wait(ctx, a)
	case loop.DoAgent:
		if going, err := r.startAgent(ctx, &a); err != nil || !going {
			return err
		}
	case loop.DoReview:
		if going, err := r.reserveReview(ctx, &a); err != nil || !going {
			return err
		}
	}
	return r.step(ctx, a)
}

// startAgent readies a run of the agent: its account is free, its prompt written, its
// share of the budgets reserved, and the intent recorded. False: something else
// was recorded instead.
func (r *Runner) startAgent(ctx context.Context, a *loop.Action) (bool, error) {
	if err := r.warnBudgets(ctx); err != nil {
		return false, err
	}
	if going, err := r.admit(ctx); err != nil || !going {
		return false, err
	}
	began, err := r.Worker.Begin(ctx, r.state, *a)
	if err != nil {
		return false, r.failed(ctx, done{err: err})
	}
	began.Stamp = r.stamp()
	return r.reserveAgent(ctx, began, a)
}

// Commit changes the state by events and records both in one transaction.
func (r *Runner) Commit(ctx context.Context, events ...loop.Event) error {
	return r.commitWith(ctx, r.Lease.Commit, events)
}

// commitWith is Commit with the messages that the events carry out, by the lease's Commit
// or one that does more in its transaction.
func (r *Runner) commitWith(ctx context.Context, record commitFunc, events []loop.Event, took ...int64) error {
	states := []loop.State{r.state}
	for _, e := range events {
		next, err := loop.Apply(states[len(states)-1], e)
		if err != nil {
			return err
		}
		states = append(states, next)
	}
	next := states[len(states)-1]
	name := "inbox"
	if len(events) > 0 {
		name = events[0].Name()
	}
	r.Fault("before:" + name)
	if err := record(context.WithoutCancel(ctx), next, events, took...); err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	r.Fault("after:" + name)
	r.state = next
	r.wake.Set(next.Wake, r.Now())
	if q := next.Open(); q != nil {
		r.answer.Set(q.Deadline, r.Now())
	}
	first := r.Lease.Seq() - int64(len(events)) + 1
	for i, e := range events {
		r.notify(engine.Update{Before: states[i], After: states[i+1], Event: e, Seq: first + int64(i)})
	}
	return nil
}

func (r *Runner) notify(u engine.Update) {
	if r.Drive.Watch != nil {
		r.Drive.Watch(u)
	}
}

// commitFunc makes a transition durable.
type commitFunc func(ctx context.Context, next loop.State, events []loop.Event, took ...int64) error

// stamp is the time of an event, as its record will have it: without the
// process's own clock, so that the recorded events make the recorded state.
func (r *Runner) stamp() loop.Stamp { return loop.Stamp{At: r.Now().Round(0)} }

// failed records that ralph itself could not do the present step, or that a process of
// it was killed by others. On a full disk nothing is recorded: the step is done again
// when there is room.
func (r *Runner) failed(ctx context.Context, d done) error {
	if lack := r.diskError(d.err); lack != nil {
		return lack
	}
	if cause := worker.Interruption(d.err); cause.Interrupts() {
		return r.Commit(ctx, loop.Interrupted{
			Stamp: r.stamp(), Why: d.err.Error(), Cause: cause, Lost: errors.Is(d.err, worker.ErrWorkLost), Usage: d.used, Model: d.model,
		})
	}
	return r.Commit(ctx, loop.WorkFailed{
		Stamp: r.stamp(), Step: r.state.Step, Message: d.err.Error(),
		Busy: worker.Busy(d.err),
	})
}

// wait sleeps until the wake-up time, a message or a stop.
func (r *Runner) wait(ctx context.Context, a loop.Action) error {
	end := &r.wake
	if a.Question != "" {
		end = &r.answer
	}
	end.Set(a.Wake, r.Now())
	timer := time.NewTimer(end.Left())
	defer timer.Stop()
	look := cadence.New(lookEvery(r.state.Reason))
	defer look.Stop()
	seen := poll{}
	for {
		if over, err := r.waited(ctx, &seen); over || err != nil {
			return err
		}
		select {
		case <-timer.C:
			if a.Question != "" {
				return nil // overdue events are recorded first
			}
			return r.Commit(ctx, loop.Woke{Stamp: r.stamp()})
		case <-look.C:
			look.Next()
		case <-r.Lease.Wake():
			return nil
		case stop := <-r.Drive.Stops:
			return r.stop(ctx, stop)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// lookEvery is how often a waiting loop checks whether its wait is over before
// its time. A share of a budget can come back at any moment; what else it waits for
// lasts for minutes to days, or wakes it.
func lookEvery(reason loop.Reason) time.Duration {
	if reason == loop.Budget {
		return time.Second
	}
	return 5 * time.Second
}

// waited reports whether a wait is over before its time, or is to be looked at again.
func (r *Runner) waited(ctx context.Context, seen *poll) (bool, error) {
	if taken, err := r.overdue(ctx); taken || err != nil {
		return taken, err
	}
	switch {
	case r.state.Reason.OfProvider():
		return r.overtaken(ctx, seen)
	case r.state.Reason == loop.Budget:
		return r.affordable(ctx)
	}
	return false, nil
}
