package planner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

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

// Freeze adds to a request of this machine, for workers, the content of the plan's file, or of
// the last version that could be read where the file is gone, and of the plans in tasks' places.
// Name is what other machines call a file.
func (p *Planner) Freeze(ctx context.Context, s plan.State, spec engine.PlanSpec, name func(path string) string) (engine.PlanSpec, error) {
	d := p.documentOf(s)
	err := d.load()
	if errors.Is(err, fs.ErrNotExist) {
		err = d.recall()
	}
	if err != nil {
		return spec, err
	}
	spec.File = s.File
	if spec.Inner, err = p.freeze(ctx, spec, d.plan, append(slices.Clone(spec.Ancestors), spec.ID), name); err != nil {
		return spec, err
	}
	spec.Text = d.data
	return spec, p.ownInner(ctx, spec.ID, spec.ID, spec.Inner)
}

// ownInner refuses to move a plan where one in a task's place has a record of its own here that
// still counts: it would begin once more elsewhere, and could not come back. Of is the plan
// around them.
func (p *Planner) ownInner(ctx context.Context, id, of string, all map[string]engine.InnerPlan) error {
	for path, in := range all {
		if in.Wrong != "" {
			continue
		}
		rec, err := p.Store.Read(ctx, in.ID)
		switch {
		case errors.Is(err, engine.ErrNotFound):
		case err != nil:
			return err
		case engine.PlanTraits(rec).Parent != of && !rec.Archived && !rec.State.Closed():
			return &engine.ImmovableError{ID: id, Plan: true, Why: fmt.Sprintf("plan %s (%s), which is to run in the place of a task, was run apart from it; end it, and accept or archive it first", in.ID, path)}
		}
		if err := p.ownInner(ctx, id, in.ID, in.Inner); err != nil {
			return err
		}
	}
	return nil
}

func (p *Planner) documentOf(s plan.State) *document {
	return newDocument(s.File, filepath.Join(p.Dir(s.ID), "plan"))
}

// Arrive makes the branch of a plan that moves here, whose landed work is here, and those of
// its files that are not here, by their paths. A branch with other work is set aside.
func (p *Planner) Arrive(ctx context.Context, s plan.State, files map[string][]byte) error {
	d := p.documentOf(s)
	err := d.load()
	if text := files[s.File]; errors.Is(err, fs.ErrNotExist) && len(text) > 0 {
		if err = durable.Write(s.File, text); err != nil {
			return fmt.Errorf("write the plan: %w", err)
		}
		err = d.load()
	}
	for path, text := range files {
		if err := bringInner(s.File, path, text); err != nil {
			return err
		}
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

// bringInner writes the file of a plan in the place of a task where there is none, in the tree
// of the file around it only: the path comes from a server.
func bringInner(file, path string, text []byte) error {
	around, err := filepath.EvalSymlinks(file)
	if err != nil || !within(Top(filepath.Dir(around)), path) {
		return nil //nolint:nilerr // without the file around it, it is no part of a plan
	}
	if _, err := ChildFile(file, path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := durable.Write(path, text); err != nil {
		return fmt.Errorf("write a plan in the place of a task: %w", err)
	}
	return nil
}

// within reports whether a path, of which folders may be missing, lies below a folder. Links are
// followed.
func within(root, path string) bool {
	dir := filepath.Dir(path)
	real, err := filepath.EvalSymlinks(dir)
	for errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		real, err = filepath.EvalSymlinks(dir)
	}
	in, bad := filepath.Rel(root, real)
	return err == nil && bad == nil && filepath.IsLocal(in)
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
