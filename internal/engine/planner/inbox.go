package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

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
	e, err := meant(m, r.stamp())
	if err == nil {
		err = r.apply(ctx, e, m.ID)
	}
	if _, refused := errors.AsType[*plan.RefusedError](err); refused || e == nil {
		return r.lease.Commit(ctx, r.state, nil, m.ID)
	}
	if err != nil {
		return err
	}
	switch engine.CommandKind(m.Kind) {
	case engine.Abort:
		return r.abort(ctx, m.Text, m.By)
	case engine.Pause, engine.PauseNow:
		for _, f := range r.flying {
			f.stops <- engine.AfterStep
		}
	}
	return nil
}

// abort ends the loops under way.
func (r *run) abort(ctx context.Context, why, by string) error {
	for _, t := range r.state.Tasks {
		if t.Reason != loop.Manual || t.Status != plan.Failed {
			continue
		}
		for _, id := range []string{t.Loop, t.Repair} {
			if id == "" {
				continue
			}
			_, err := r.Engine.Send(ctx, id, engine.Command{Kind: engine.Abort, Text: why, By: by})
			if err != nil && !errors.Is(err, engine.ErrEnded) && !errors.Is(err, engine.ErrNoLoop) {
				return err
			}
		}
	}
	return nil
}

// meant is the event that a command stands for.
func meant(m store.Message, at loop.Stamp) (plan.Event, error) {
	switch engine.CommandKind(m.Kind) {
	case engine.Pause, engine.PauseNow:
		return plan.PauseAsked{Stamp: at, By: m.By}, nil
	case engine.Abort:
		return plan.AbortAsked{Stamp: at, Why: m.Text}, nil
	case engine.Answer:
		return plan.Answered{Stamp: at, Text: m.Text, By: m.By}, nil
	case engine.Resolve:
		return plan.Resolved{Stamp: at, Text: m.Text, By: m.By}, nil
	}
	return nil, fmt.Errorf("command %q cannot be carried out on a plan", m.Kind)
}

// SendPlan hands a command to whoever runs the plan, or carries it out.
func (p *Planner) SendPlan(ctx context.Context, id string, c engine.Command) (plan.State, error) {
	rec, err := p.Store.Plan(ctx, id)
	if err != nil {
		return plan.State{}, situation(err)
	}
	m := store.Message{Kind: string(c.Kind), Text: c.Text, By: c.By}
	e, err := meant(m, p.stamp())
	if err != nil {
		return rec.State, err
	}
	if _, err := plan.Apply(rec.State, e); err != nil {
		return rec.State, err
	}
	if rec.Live {
		return rec.State, p.Store.SendPlan(ctx, id, m)
	}
	lease, err := p.Store.TakePlan(ctx, rec.State, nil, false)
	if _, held := errors.AsType[*store.HeldError](err); held {
		return rec.State, p.Store.SendPlan(ctx, id, m)
	}
	if err != nil {
		return rec.State, situation(err)
	}
	defer lease.Release()
	next, err := plan.Apply(lease.State(), e)
	if err != nil {
		return rec.State, err
	}
	if err := lease.Commit(ctx, next, []plan.Event{e}); err != nil {
		return rec.State, err
	}
	if c.Kind == engine.Resolve {
		return next, p.retell(ctx, rec, next, lease)
	}
	if c.Kind == engine.Abort {
		r := &run{Planner: p, lease: lease, state: next}
		err = r.abort(ctx, c.Text, c.By)
	}
	return next, err
}

// retell writes what a person has said of a plan that nobody runs into its file.
// What was the last thing open may archive it.
func (p *Planner) retell(ctx context.Context, rec store.PlanRecord, s plan.State, lease *store.PlanLease) error {
	spec, err := specOf(rec)
	if err != nil {
		return err
	}
	r := &run{Planner: p, lease: lease, spec: spec, state: s, book: newBook(s.File, filepath.Join(lease.Dir(), "plan"))}
	if _, err := r.book.read(); err != nil {
		return fmt.Errorf("the record has it, the plan's file has not: %w", err)
	}
	if r.graph, err = r.book.plan.Graph(); err != nil {
		return err
	}
	if err := r.book.flush(ctx, &r.state, r.graph, true); err != nil {
		return err
	}
	return r.archive(ctx)
}

// wake takes up loops that rest and need not any more: their question was
// answered, or somebody went on with them.
func (r *run) wake(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	for _, t := range r.state.Tasks {
		if t.Status != plan.Running || t.Rests == "" {
			continue
		}
		l, err := r.Engine.Show(ctx, t.Loop)
		if err != nil {
			return err
		}
		answered := t.Rests == loop.ForHuman && l.State.Open() == nil
		if answered || l.Live || l.State.Status.Terminal() {
			if err := r.apply(ctx, plan.Taken{Stamp: r.stamp(), Task: t.ID}); err != nil {
				return err
			}
		}
	}
	return nil
}
