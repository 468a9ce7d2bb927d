package planner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// storedPlan is a plan as its store has it.
type storedPlan = engine.Stored[plan.State]

// Find resolves an id, a unique prefix of one, or the path of a plan's file,
// absolute and without symbolic links.
func (p *Planner) Find(ctx context.Context, name string) (string, error) {
	return Find(ctx, p.Store, name)
}

// Lookup is what finding a plan needs of a store.
type Lookup interface {
	Read(ctx context.Context, id string) (storedPlan, error)
	Resolve(ctx context.Context, prefix string) (string, error)
}

// Find is Planner.Find for the plans of any store.
func Find(ctx context.Context, plans Lookup, name string) (string, error) {
	if filepath.IsAbs(name) {
		path := name
		name = IDOf(path)
		if _, err := plans.Read(ctx, name); errors.Is(err, engine.ErrNotFound) {
			name = PlanID(fromArchive(path))
		}
	}
	if name == "" {
		return "", fmt.Errorf("%w: it has no name", engine.ErrNotFound)
	}
	id, err := plans.Resolve(ctx, name)
	if errors.Is(err, engine.ErrNotFound) {
		return "", fmt.Errorf("%w: %s", engine.ErrNotFound, name)
	}
	return id, err
}

// IDOf names the plan of a file, wherever it lies: one that was moved into
// archived/ is the plan that it was, unless another one has taken its place.
func IDOf(path string) string {
	before := fromArchive(path)
	if _, err := os.Lstat(before); err == nil {
		return PlanID(path)
	}
	return PlanID(before)
}

// InArchive: the file lies in a folder for plans that are over.
func InArchive(path string) bool { return filepath.Base(filepath.Dir(path)) == archiveDir }

// Unrun is the state of a plan that no run has looked at yet.
func (p *Planner) Unrun(path string, pl plan.Plan) plan.State {
	s := plan.Begin(IDOf(path), path, pl.Title, "", "", plan.Rules{})
	next, err := plan.Apply(s, plan.Read{Stamp: p.stamp(), Title: pl.Title, Tasks: readTasks(pl, nil)})
	if err != nil {
		return s
	}
	return next
}

// fromArchive is where a file that was moved into archived/ stood before.
func fromArchive(path string) string {
	dir := filepath.Dir(path)
	if filepath.Base(dir) != archiveDir {
		return path
	}
	return filepath.Join(filepath.Dir(dir), filepath.Base(path))
}

// Show returns everything about one plan.
func (p *Planner) Show(ctx context.Context, id string) (engine.Plan, error) {
	r, err := p.Store.Read(ctx, id)
	if err != nil {
		return engine.Plan{}, err
	}
	if p.TeamWorkers != nil {
		_ = p.TeamWorkers.Fetch(ctx, r.State) // what shows or merges it reports that it is missing
	}
	return p.shown(r), nil
}

// TasksNow returns the state of a plan's tasks for a run that is about to
// begin, whatever the boxes of its file are: work done by a run stays done,
// until its text changes (kept are those that are open in the file) or the plan
// in its place has more to do; work set aside because the plan begins anew is
// to be done again.
func (p *Planner) TasksNow(ctx context.Context, path string, pl plan.Plan, fresh bool) (now plan.Plan, kept []string, err error) {
	r, err := p.Store.Read(ctx, IDOf(path))
	if err != nil {
		if errors.Is(err, engine.ErrNotFound) {
			err = nil
		}
		return pl, nil, err
	}
	pl.Tasks = slices.Clone(pl.Tasks)
	known := r.State.Match(readTasks(pl, nil))
	for i := range pl.Tasks {
		t, was := &pl.Tasks[i], known[i]
		switch {
		case was == nil || !was.Proved() || was.Digest != digest(*t):
		case fresh, p.moreThanBefore(ctx, path, *t):
			t.Status = plan.Pending
		case t.Status.Open():
			t.Status = plan.Done
			kept = append(kept, t.ID)
		}
	}
	return pl, kept, nil
}

func (p *Planner) shown(r storedPlan) engine.Plan {
	spec, err := specOf(r)
	if err != nil && r.Damage == "" {
		r.Damage = err.Error()
	}
	b := newDocument(r.State.File, filepath.Join(p.Dir(r.State.ID), "plan"))
	_ = b.recall() // a plan whose file is gone is shown by its record
	if v := r.State.Review; v != nil && v.File != "" {
		here := *v
		here.File = placed(p.Dir(r.State.ID), v.File)
		r.State.Review = &here
	}
	r.State.Note = joined(r.State.Note, r.Awaits)
	return engine.Plan{
		State: r.State, Plan: r.State.WithGaps(b.plan), Spec: spec, Dir: p.Dir(r.State.ID), Seq: r.Seq,
		RunFacts: engine.RunFacts{Live: r.Live, Crashed: !r.Live && r.State.NeedsProcess(), Archived: r.Archived, Owner: r.Owner, Damage: r.Damage, Recovery: r.Recovery},
	}
}

// List returns the plans, the one that changed last first.
func (p *Planner) List(ctx context.Context, f engine.Filter) ([]engine.Plan, error) {
	all, err := p.Store.List(ctx, f)
	if err != nil {
		return nil, err
	}
	out := make([]engine.Plan, len(all))
	for i, r := range all {
		out[i] = p.shown(r)
	}
	return out, nil
}

// Marks returns the plans of a list without their states.
func (p *Planner) Marks(ctx context.Context, f engine.Filter) ([]engine.Mark, error) {
	all, err := p.Store.List(ctx, f)
	out := make([]engine.Mark, len(all))
	for i, r := range all {
		crashed := !r.Live && r.State.NeedsProcess()
		out[i] = engine.Mark{ID: r.State.ID, Seq: r.Seq, Live: r.Live, Crashed: crashed, Archived: r.Archived, Unsteady: crashed || r.Awaits != ""}
	}
	return out, err
}

// Count returns how many plans a list without a limit has.
func (p *Planner) Count(ctx context.Context, f engine.Filter) (int, error) {
	return p.Store.Count(ctx, f)
}

// Events returns those after a sequence number.
func (p *Planner) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	return p.Store.Events(ctx, id, after)
}

// Archive takes a plan that has ended, or whose record is damaged, out of sight, after
// its loops and the plans in tasks' places.
func (p *Planner) Archive(ctx context.Context, id string) error {
	r, err := p.Store.Read(ctx, id)
	if err != nil {
		return err
	}
	if !r.State.Status.Terminal() && r.Damage == "" {
		return engine.ErrNotEnded
	}
	for _, t := range r.State.Tasks {
		if t.Child {
			if err := p.Archive(ctx, t.Loop); err != nil && !errors.Is(err, engine.ErrNotFound) {
				return fmt.Errorf("archive plan %s: %w", t.Loop, err)
			}
		}
	}
	loops, err := p.Loops.List(ctx, engine.Filter{Parent: id, Ended: true})
	if err != nil {
		return err
	}
	for _, l := range loops {
		if err := p.Loops.Archive(ctx, l.State.ID); err != nil {
			return fmt.Errorf("archive loop %s: %w", l.State.ID, err)
		}
	}
	return p.Store.Archive(ctx, id)
}

// Preview returns the prompts of the first loop of each of these tasks, with
// the exact text and gates of a run that has not begun: there is no finished
// work yet to report to a task. Names that look alike are taken in the order of
// the tasks. Nothing is recorded.
func (p *Planner) Preview(spec engine.PlanSpec, file planfile.File, tasks []plan.Task) ([]loop.Spec, error) {
	graph, err := file.Plan.Graph()
	if err != nil {
		return nil, err
	}
	b := newDocument(spec.File, "")
	b.hold(file, file.Write(nil).Data)
	state, err := plan.Apply(plan.Begin(spec.ID, spec.File, file.Plan.Title, Branch(spec.ID), spec.Base, spec.Rules), b.event())
	if err != nil {
		return nil, err
	}
	r := &run{Planner: p, spec: spec, state: state, doc: b, graph: graph}
	most := spec.Rules.PerTask
	if spec.Rules.Chunks {
		most = 1
	}
	taken := map[string]bool{}
	out := make([]loop.Spec, len(tasks))
	for i, t := range tasks {
		id := ""
		for n := 1; id == "" || taken[id]; n++ {
			id = loopID(spec.ID, t.ID, "", n)
		}
		taken[id] = true
		out[i] = r.taskSpec(plan.TaskState{ID: t.ID, Loop: id, From: spec.Base, Most: most})
	}
	return out, nil
}
