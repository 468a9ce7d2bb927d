package planner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/plan"
)

// What a plan that moves to another engine leaves here, and what it needs here.

// Rest carries out what was sent to a plan that no process drives.
func (p *Planner) Rest(ctx context.Context, id string) error {
	lease, err := p.Store.Acquire(ctx, id, nil, false)
	if err != nil {
		return err
	}
	return errors.Join(p.executeInbox(ctx, lease), p.release(ctx, lease))
}

// Text returns the content of a plan's file for workers, or of the last version that could be
// read where the file is gone. A plan with another one in the place of a task does not move yet.
func (p *Planner) Text(_ context.Context, s plan.State) ([]byte, error) {
	d := p.documentOf(s)
	err := d.load()
	if errors.Is(err, fs.ErrNotExist) {
		err = d.recall()
	}
	if err != nil {
		return nil, err
	}
	for _, t := range d.plan.Tasks {
		if t.SubPlan != "" {
			return nil, &engine.ImmovableError{ID: s.ID, Plan: true, Why: "task " + t.ID + " is a plan of its own, and such plans do not move yet"}
		}
	}
	return d.data, nil
}

func (p *Planner) documentOf(s plan.State) *document {
	return newDocument(s.File, filepath.Join(p.Dir(s.ID), "plan"))
}

// Arrive makes the branch of a plan that moves here, whose landed work is here, and its file
// where there is none. A branch with other work is set aside.
func (p *Planner) Arrive(ctx context.Context, s plan.State, text []byte) error {
	d := p.documentOf(s)
	err := d.load()
	if errors.Is(err, fs.ErrNotExist) && len(text) > 0 {
		if err = durable.Write(s.File, text); err != nil {
			return fmt.Errorf("write the plan: %w", err)
		}
		err = d.load()
	}
	if err == nil { // else the file is a person's own, and running the plan reports what is wrong
		if err := d.keepCopy(); err != nil {
			return err
		}
	}
	r := &run{Planner: p, state: s}
	err = r.syncBranch(ctx)
	if _, moved := errors.AsType[*movedError](err); !moved {
		return err
	}
	if _, err := p.Repo.SetBranchAside(ctx, s.Branch, p.Now()); err != nil {
		return err
	}
	return r.syncBranch(ctx)
}

// WriteBack writes into the file of this machine what the plan did elsewhere. A file that is
// not here stays away, and one that cannot be read as it is.
func (p *Planner) WriteBack(ctx context.Context, lease engine.PlanLease) error {
	rec, err := p.Store.Read(ctx, lease.ID())
	if err != nil {
		return err
	}
	r, err := p.reopen(rec, lease.State(), lease)
	if err != nil {
		return nil //nolint:nilerr // the plan is here; running it reports what is wrong
	}
	if err := r.doc.flush(ctx, &r.state, r.graph, true); err != nil {
		return err
	}
	if !lease.State().Status.Terminal() {
		return nil
	}
	return r.archive(ctx)
}
