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

// SendPlan hands a command to whoever runs the plan, or carries it out.
func (p *Planner) SendPlan(ctx context.Context, id string, c engine.Command) (plan.State, error) {
	rec, err := p.Store.Plan(ctx, id)
	if err != nil {
		return plan.State{}, situation(err)
	}
	m := store.Message{Kind: c.Word(), Text: c.Text, By: c.By}
	e, err := meant(c, p.stamp())
	if err != nil {
		return rec.State, err
	}
	if _, err := plan.Apply(rec.State, e); err != nil {
		return rec.State, err
	}
	if rec.Live && c.Kind == engine.Wake {
		return rec.State, p.wakeNow(ctx, rec, c)
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
	events := []plan.Event{e}
	if _, pause := e.(plan.PauseAsked); pause && next.Status == loop.Waiting {
		// Nobody is there who would come to rest.
		rest := plan.Rested{Stamp: p.stamp(), Status: loop.Paused, Message: "paused on request"}
		if next, err = plan.Apply(next, rest); err != nil {
			return rec.State, err
		}
		events = append(events, rest)
	}
	if err := lease.Commit(ctx, next, events); err != nil {
		return rec.State, err
	}
	switch c.Kind {
	case engine.Resolve:
		err = p.retell(ctx, rec, next, lease)
	case engine.Abort:
		err = p.abort(ctx, next, c.Text, c.By)
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
