package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Send hands a command to the process that runs the plan, or carries it out.
func (p *Planner) Send(ctx context.Context, id string, c engine.Command) (plan.State, error) {
	rec, err := p.Store.Read(ctx, id)
	if err != nil {
		return plan.State{}, err
	}
	if err := engine.PlanMovedOf(rec.State); err != nil {
		return rec.State, err
	}
	if c.Kind == engine.Recheck {
		return rec.State, p.recheck(ctx, rec, c)
	}
	e, err := plan.EventOf(c, p.stamp())
	if err != nil {
		return rec.State, err
	}
	if _, err := plan.Apply(rec.State, e); err != nil {
		return rec.State, err
	}
	if rec.Live && c.Kind == engine.Wake {
		return rec.State, p.wakeNow(ctx, rec, c)
	}
	lease, err := p.Store.Acquire(ctx, id, nil, false)
	if errors.Is(err, engine.ErrRunning) {
		return rec.State, p.post(ctx, id, c)
	}
	if err != nil {
		return rec.State, err
	}
	next, err := p.execute(ctx, rec, lease, c)
	return next, errors.Join(err, p.release(ctx, lease))
}

// recheck makes the process of a plan look at its loops: one of them was answered. A
// process that is about to rest reads the message at the latest when it releases, and
// continues. ErrNotRunning is returned where it released before: the plan rests.
func (p *Planner) recheck(ctx context.Context, rec storedPlan, c engine.Command) error {
	if p.TeamWorkers != nil {
		return p.post(ctx, rec.State.ID, c)
	}
	if !rec.Live {
		return engine.ErrNotRunning
	}
	if err := p.post(ctx, rec.State.ID, c); err != nil {
		return err
	}
	now, err := p.Store.Read(ctx, rec.State.ID)
	if err == nil && !now.Live {
		return engine.ErrNotRunning
	}
	return err
}

// post puts a command into the inbox of a plan that another process holds.
func (p *Planner) post(ctx context.Context, id string, c engine.Command) error {
	if err := p.Store.Send(ctx, id, c.Message()); err != nil {
		return err
	}
	return engine.ExecuteLeft(ctx, p.Store, id, p.executeInbox)
}

// release gives a plan back, and carries out the commands sent while it was
// held.
func (p *Planner) release(ctx context.Context, lease engine.PlanLease) error {
	return engine.Release(ctx, p.Store, lease, p.executeInbox)
}

// executeInbox carries out the messages that are left in a plan's inbox.
func (p *Planner) executeInbox(ctx context.Context, lease engine.PlanLease) error {
	rec, err := p.Store.Read(ctx, lease.ID())
	if err != nil {
		return err
	}
	messages, err := lease.Inbox(ctx)
	if err != nil {
		return err
	}
	for _, m := range messages {
		if _, err = p.execute(ctx, rec, lease, m.Command(), m.ID); dropped(err) {
			err = lease.Commit(ctx, lease.State(), nil, m.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// execute carries out a command on a plan that no process runs. Its loops are
// ended before that is recorded: a process that is killed in between finds the
// command again.
func (p *Planner) execute(ctx context.Context, rec storedPlan, lease engine.PlanLease, c engine.Command, took ...int64) (plan.State, error) {
	e, err := plan.EventOf(c, p.stamp())
	if err != nil {
		return rec.State, err
	}
	next, err := plan.Apply(lease.State(), e)
	if err != nil {
		return rec.State, err
	}
	events := []plan.Event{e}
	_, pause := e.(plan.PauseAsked)
	if pause && p.TeamWorkers != nil {
		if err := p.pauseRuns(ctx, next, c); err != nil {
			return rec.State, err
		}
	}
	if pause && (next.Status == loop.Waiting || p.TeamWorkers != nil) {
		// No run is there that would come to rest.
		rest := plan.Rested{Stamp: p.stamp(), Status: loop.Paused, Message: "paused on request"}
		if next, err = plan.Apply(next, rest); err != nil {
			return rec.State, err
		}
		events = append(events, rest)
	}
	if c.Kind == engine.Abort {
		if _, err := p.abort(ctx, next, c); err != nil {
			return rec.State, err
		}
	}
	if next.Status.Terminal() {
		// No run follows that would write it. A plan whose file is gone ends too.
		if r, err := p.reopen(rec, next, lease); err == nil {
			_ = r.doc.flush(ctx, &r.state, r.graph, true)
		}
	}
	if err := lease.Commit(ctx, next, events, took...); err != nil {
		return rec.State, err
	}
	if c.Kind == engine.Resolve {
		err = p.retell(ctx, rec, next, lease)
	}
	return next, err
}

// retell writes a person's resolution in a plan that no process runs into its
// file. Where that was the last open finding, the plan may be archived.
func (p *Planner) retell(ctx context.Context, rec storedPlan, s plan.State, lease engine.PlanLease) error {
	r, err := p.reopen(rec, s, lease)
	if err != nil {
		return fmt.Errorf("the record has it, the plan's file has not: %w", err)
	}
	if err := r.doc.flush(ctx, &r.state, r.graph, true); err != nil {
		return err
	}
	return r.archive(ctx)
}

// reopen returns a plan that no process runs, with its file read.
func (p *Planner) reopen(rec storedPlan, s plan.State, lease engine.PlanLease) (*run, error) {
	spec, err := specOf(rec)
	if err != nil {
		return nil, err
	}
	r := &run{Planner: p, lease: lease, spec: spec, state: s, doc: newDocument(s.File, filepath.Join(p.Dir(lease.ID()), "plan"))}
	durable.RemoveTemporary(s.File)
	if _, err := r.doc.read(); err != nil {
		return nil, err
	}
	r.graph, err = r.doc.plan.Graph()
	return r, err
}
