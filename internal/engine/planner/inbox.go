package planner

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// look finds out what nobody tells: messages of other processes, a plan file
// that a person changed, loops that rest and can go on.
func (r *run) look(ctx context.Context) error {
	if err := r.inbox(ctx); err != nil {
		return err
	}
	if r.unborn != nil {
		if err := r.endLoops(ctx, r.state, *r.unborn); err != nil {
			return err
		}
	}
	if err := r.reread(ctx); err != nil {
		return err
	}
	if err := r.unattended(ctx); err != nil {
		return err
	}
	if err := r.tellNaps(ctx); err != nil {
		return err
	}
	return r.wake(ctx)
}

func (r *run) inbox(ctx context.Context) error {
	_, err := r.heard(ctx)
	return err
}

// heard takes what others have sent, and says whether there was something.
func (r *run) heard(ctx context.Context) (bool, error) {
	messages, err := r.lease.Inbox(ctx)
	for _, m := range messages {
		if err == nil {
			err = r.obey(ctx, m)
		}
	}
	return len(messages) > 0, err
}

// obey carries a command out. One that cannot be done now is taken and dropped:
// whoever sent it looked at an older state.
func (r *run) obey(ctx context.Context, m store.Message) error {
	c := engine.Said(m.Kind, m.Text, m.By)
	e, err := meant(c, r.stamp())
	if err == nil && c.Kind == engine.Abort {
		err = r.endAll(ctx, c, e)
	}
	if err == nil {
		err = r.apply(ctx, e, m.ID)
	}
	if dropped(err) {
		return r.lease.Commit(ctx, r.state, nil, m.ID)
	}
	if err != nil {
		return err
	}
	switch c.Kind {
	case engine.Pause:
		r.passOn(engine.AfterStep)
	case engine.PauseNow:
		r.passOn(engine.EndAgent)
	case engine.Wake:
		r.wakeUp()
	}
	return nil
}

// dropped: a command means nothing to a plan, or cannot be done as it stands now.
func dropped(err error) bool {
	_, refused := errors.AsType[*plan.RefusedError](err)
	return refused || errors.Is(err, errMeansNothing)
}

var errMeansNothing = errors.New("cannot be carried out on a plan")

// endAll ends what is under way before it is recorded that the plan was: whoever is
// killed in between finds the command again.
func (r *run) endAll(ctx context.Context, c engine.Command, e plan.Event) error {
	next, err := plan.Apply(r.state, e)
	if err != nil {
		return err
	}
	for _, f := range r.flying {
		f.end()
	}
	return r.endLoops(ctx, next, c)
}

// endLoops ends the loops and child plans of a plan. What was about to be begun and
// is not there yet is ended when the run looks next.
func (r *run) endLoops(ctx context.Context, s plan.State, c engine.Command) error {
	unborn, err := r.abort(ctx, s, c)
	if r.unborn = nil; unborn {
		r.unborn = &c
	}
	return err
}

// abort ends the loops and the child plans under way of a plan that is ended; unborn
// says that not all were there.
func (p *Planner) abort(ctx context.Context, s plan.State, c engine.Command) (unborn bool, err error) {
	end := func(id string, child bool) {
		if id == "" || err != nil {
			return
		}
		if child {
			_, err = p.Send(ctx, id, c)
		} else {
			_, err = p.Engine.Send(ctx, id, c)
		}
		unborn = unborn || errors.Is(err, engine.ErrNotFound) || errors.Is(err, engine.ErrNotFound)
		if over(err) {
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
	return unborn, err
}

// over: there is nothing to end, to answer or to wake any more.
func over(err error) bool {
	_, byPlan := errors.AsType[*plan.RefusedError](err)
	_, byLoop := errors.AsType[*loop.Refused](err)
	return byPlan || byLoop || errors.Is(err, engine.ErrEnded) || errors.Is(err, engine.ErrNotFound) || errors.Is(err, engine.ErrNotFound)
}

// meant is the event that a command stands for.
func meant(c engine.Command, at loop.Stamp) (plan.Event, error) {
	switch c.Kind {
	case engine.Pause, engine.PauseNow:
		return plan.PauseAsked{Stamp: at, By: c.By}, nil
	case engine.Abort:
		return plan.AbortAsked{Stamp: at, Why: c.Text}, nil
	case engine.Wake:
		return plan.Woken{Stamp: at, By: c.By}, nil
	case engine.Answer:
		return plan.Answered{Stamp: at, Text: c.Text, By: c.By, Question: c.Question}, nil
	case engine.Resolve:
		return plan.Resolved{Stamp: at, Text: c.Text, By: c.By}, nil
	}
	return nil, fmt.Errorf("command %q %w", c.Kind, errMeansNothing)
}
