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
	messages, err := r.lease.Inbox(ctx)
	if err != nil {
		return err
	}
	for _, m := range messages {
		if err := r.obey(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// obey carries a command out. One that cannot be done now is taken and dropped:
// whoever sent it looked at an older state.
func (r *run) obey(ctx context.Context, m store.Message) error {
	c := engine.Said(m.Kind, m.Text, m.By)
	e, err := meant(c, r.stamp())
	if err == nil {
		err = r.apply(ctx, e, m.ID)
	}
	if _, refused := errors.AsType[*plan.RefusedError](err); refused || e == nil {
		return r.lease.Commit(ctx, r.state, nil, m.ID)
	}
	if err != nil {
		return err
	}
	switch c.Kind {
	case engine.Abort:
		return r.abort(ctx, r.state, c.Text, c.By)
	case engine.Pause:
		r.passOn(engine.AfterStep)
	case engine.PauseNow:
		r.passOn(engine.EndAgent)
	case engine.Wake:
		r.wakeUp()
	}
	return nil
}

// abort ends the loops and the child plans under way.
func (p *Planner) abort(ctx context.Context, s plan.State, why, by string) error {
	c := engine.Command{Kind: engine.Abort, Text: why, By: by}
	for _, t := range s.Tasks {
		if t.Reason != loop.Manual || t.Status != plan.Failed {
			continue
		}
		for _, id := range []string{t.Loop, t.Repair} {
			if id == "" {
				continue
			}
			var err error
			if t.Child && id == t.Loop {
				_, err = p.SendPlan(ctx, id, c)
			} else {
				_, err = p.Engine.Send(ctx, id, c)
			}
			if err != nil && !over(err) {
				return err
			}
		}
	}
	return nil
}

// over: there is nothing to end any more.
func over(err error) bool {
	_, ended := errors.AsType[*plan.RefusedError](err)
	return ended || errors.Is(err, engine.ErrEnded) || errors.Is(err, engine.ErrNoLoop) || errors.Is(err, engine.ErrNoPlan)
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
	return nil, fmt.Errorf("command %q cannot be carried out on a plan", c.Kind)
}
