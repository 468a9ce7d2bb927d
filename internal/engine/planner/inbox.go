package planner

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// look polls what sends no signal: messages of other processes, a plan file that a
// person changed, loops that rest and can continue.
func (r *run) look(ctx context.Context) error {
	if err := r.inbox(ctx); err != nil {
		return err
	}
	if r.notCreated != nil {
		if err := r.endLoops(ctx, r.state, *r.notCreated); err != nil {
			return err
		}
	}
	if err := r.reread(ctx); err != nil {
		return err
	}
	if err := r.unattended(ctx); err != nil {
		return err
	}
	if err := r.recordLimitWaits(ctx); err != nil {
		return err
	}
	return r.wake(ctx)
}

func (r *run) inbox(ctx context.Context) error {
	_, err := r.executeNew(ctx)
	return err
}

// executeNew carries out the messages of other processes, and reports whether
// there was any.
func (r *run) executeNew(ctx context.Context) (bool, error) {
	messages, err := r.lease.Inbox(ctx)
	for _, m := range messages {
		if err == nil {
			err = r.executeMessage(ctx, m)
		}
	}
	return len(messages) > 0, err
}

// executeMessage carries a command out. One that cannot be done now is dropped: its sender
// looked at an older state.
func (r *run) executeMessage(ctx context.Context, m journal.Message) error {
	c := m.Command()
	e, err := plan.EventOf(c, r.stamp())
	if err == nil && c.Kind == engine.Abort {
		err = r.endAll(ctx, c, e)
	}
	if err == nil {
		err = r.commit(ctx, e, m.ID)
	}
	if dropped(err) {
		return r.lease.Commit(ctx, r.state, nil, m.ID)
	}
	if err != nil {
		return err
	}
	switch c.Kind {
	case engine.Pause:
		r.stopJobs(engine.AfterStep)
	case engine.PauseNow:
		r.stopJobs(engine.EndAgent)
	case engine.Wake:
		r.wakeUp()
		return r.resumePaused(ctx, c.Text)
	}
	return nil
}

// resumePaused resumes the loops of the plan that a person has paused: all, or the named one.
func (r *run) resumePaused(ctx context.Context, id string) error {
	for _, s := range restingOf(r.state) {
		if plan.PausedByPerson(s.why) && (id == "" || id == s.id) {
			if err := r.commit(ctx, plan.Taken{Stamp: r.stamp(), Task: s.task}); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropped reports whether a command does not apply to plans, or not in this state.
func dropped(err error) bool {
	_, refused := errors.AsType[*journal.RefusedError](err)
	return refused
}

// endAll ends the jobs before the abort is recorded: a process that is killed in
// between finds the command again.
func (r *run) endAll(ctx context.Context, c engine.Command, e plan.Event) error {
	next, err := plan.Apply(r.state, e)
	if err != nil {
		return err
	}
	for _, f := range r.jobs {
		f.end()
	}
	return r.endLoops(ctx, next, c)
}

// endLoops ends the loops and child plans of a plan. Those that are about to be
// created are ended when the run polls next.
func (r *run) endLoops(ctx context.Context, s plan.State, c engine.Command) error {
	notCreated, err := r.abort(ctx, s, c)
	if r.notCreated = nil; notCreated {
		r.notCreated = &c
	}
	return err
}

// abort ends the loops and the child plans of a plan that is ended; notCreated
// reports that some did not exist yet.
func (p *Planner) abort(ctx context.Context, s plan.State, c engine.Command) (notCreated bool, err error) {
	end := func(id string, child bool) {
		if id == "" || err != nil {
			return
		}
		if child {
			_, err = p.Send(ctx, id, c)
		} else {
			_, err = p.Loops.Send(ctx, id, c)
		}
		notCreated = notCreated || errors.Is(err, engine.ErrNotFound)
		if nothingToDo(err) {
			err = nil
		}
	}
	for _, t := range s.Tasks {
		if t.Reason == loop.Manual && t.Status == plan.Failed {
			end(t.Loop, t.Child)
			end(t.Repair, false)
		}
	}
	end(s.Final, false)
	return notCreated, err
}

// nothingToDo reports whether there is nothing to end, to answer or to wake any more.
func nothingToDo(err error) bool {
	return dropped(err) || errors.Is(err, engine.ErrEnded) || errors.Is(err, engine.ErrNotFound)
}
