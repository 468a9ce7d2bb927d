package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// FindPlan resolves an id, a unique prefix of one, or the path of a plan's file,
// absolute and without symbolic links.
func (p *Planner) FindPlan(ctx context.Context, name string) (string, error) {
	if filepath.IsAbs(name) {
		name = PlanID(fromArchive(name))
	}
	if name == "" {
		return "", fmt.Errorf("%w: it has no name", engine.ErrNoPlan)
	}
	switch fits, err := p.Store.PlansNamed(ctx, name); {
	case err != nil:
		return "", err
	case len(fits) == 0:
		return "", fmt.Errorf("%w: %s", engine.ErrNoPlan, name)
	case len(fits) > 1:
		return "", &store.AmbiguousError{Prefix: name, IDs: fits}
	default:
		return fits[0], nil
	}
}

// fromArchive is where a file that was moved into archived/ stood before.
func fromArchive(path string) string {
	dir := filepath.Dir(path)
	if filepath.Base(dir) != archiveDir {
		return path
	}
	return filepath.Join(filepath.Dir(dir), filepath.Base(path))
}

// ShowPlan is everything about one plan.
func (p *Planner) ShowPlan(ctx context.Context, id string) (engine.Plan, error) {
	r, err := p.Store.Plan(ctx, id)
	if err != nil {
		return engine.Plan{}, situation(err)
	}
	return shown(r)
}

// Kept are the ids of tasks that are open in the plan, and that a run of it has
// done: what has landed stays, until its words change.
func (p *Planner) Kept(ctx context.Context, id string, pl plan.Plan) ([]string, error) {
	r, err := p.Store.Plan(ctx, id)
	if errors.Is(err, store.ErrNoPlan) {
		return nil, nil
	}
	var out []string
	for _, t := range pl.Tasks {
		was := r.State.Task(t.ID)
		if t.Status.Open() && was != nil && was.Proved() && was.Digest == digest(t) {
			out = append(out, t.ID)
		}
	}
	return out, err
}

func shown(r store.PlanRecord) (engine.Plan, error) {
	spec, err := specOf(r)
	if err != nil {
		return engine.Plan{}, err
	}
	b := newBook(r.State.File, filepath.Join(r.Dir, "plan"))
	_ = b.recall() // a plan whose file is gone is shown by its record
	return engine.Plan{
		State: r.State, Plan: b.plan, Spec: spec, Live: r.Live, Crashed: r.Crashed(), Archived: r.Archived,
		Owner: r.Owner.String(), Dir: r.Dir, Seq: r.Seq,
	}, nil
}

// Plans lists them, the newest first.
func (p *Planner) Plans(ctx context.Context, f engine.PlanFilter) ([]engine.Plan, error) {
	all, err := p.Store.Plans(ctx, store.PlanFilter(f))
	if err != nil {
		return nil, err
	}
	out := make([]engine.Plan, len(all))
	for i, r := range all {
		if out[i], err = shown(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// PlanEvents are those after a sequence number.
func (p *Planner) PlanEvents(ctx context.Context, id string, after int64) ([]engine.PlanRecord, error) {
	all, err := p.Store.PlanEvents(ctx, id, after)
	out := make([]engine.PlanRecord, len(all))
	for i, e := range all {
		out[i] = engine.PlanRecord(e)
	}
	return out, err
}

// ArchivePlan takes a plan that has ended out of sight.
func (p *Planner) ArchivePlan(ctx context.Context, id string) error {
	r, err := p.Store.Plan(ctx, id)
	if err != nil {
		return situation(err)
	}
	if !r.State.Status.Terminal() {
		return engine.ErrNotEnded
	}
	return p.Store.ArchivePlan(ctx, id, true)
}
