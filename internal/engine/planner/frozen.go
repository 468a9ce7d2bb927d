package planner

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// Workers do not have the files of plans in tasks' places: the request of a plan holds their
// content, ids and accepted commands, as they were when a person asked for it.

// freeze returns the plans in the places of a plan's tasks. Around is the request of the plan,
// above are the plans around its tasks; name is what other machines call a file. One that
// cannot be run is reported when its turn comes, as on one machine.
func (p *Planner) freeze(ctx context.Context, around engine.PlanSpec, pl plan.Plan, above []string, name func(path string) string) (map[string]engine.InnerPlan, error) {
	all := map[string]engine.InnerPlan{}
	for _, t := range pl.Tasks {
		if t.SubPlan == "" {
			continue
		}
		c, err := p.childOf(around, t)
		in := engine.InnerPlan{ID: c.id, File: name(c.path)}
		switch {
		case err != nil:
			in.Wrong = err.Error()
		case slices.Contains(above, c.id):
			in.Wrong = filepath.Base(c.path) + " contains itself"
		default:
			in.Text = c.text
			if in.Commands, _, err = p.Approved(ctx, c.id, c.plan, around.Task.Prefix, false); err != nil {
				return nil, err
			}
			maps.Copy(in.Commands, c.frozen.Commands)
			inner := engine.PlanSpec{File: c.path, Inner: c.frozen.Inner, Task: around.Task}
			if in.Inner, err = p.freeze(ctx, inner, c.plan, append(slices.Clone(above), c.id), name); err != nil {
				return nil, err
			}
		}
		all[t.SubPlan] = in
	}
	return all, nil
}

// frozen reports whether a request is one for the workers of a team, with the content of files.
func frozen(spec engine.PlanSpec) bool { return len(spec.Text) > 0 }

// forWorkers reports whether the run is one of such a request.
func (r *run) forWorkers() bool { return frozen(r.spec) }

func (p *Planner) frozenChild(in engine.InnerPlan) (child, error) {
	c := child{id: in.ID, path: CopyPath(p.Dir(in.ID), in.File), text: in.Text, frozen: in}
	if in.Wrong != "" {
		return c, errors.New(in.Wrong)
	}
	file, err := planfile.Read(c.path, in.Text)
	c.plan = file.Plan
	return c, err
}

// CopyPath is where a worker has its copy of a plan's file, in the folder of the plan. The
// name comes from a server: one that leads out of the folder stands for its last part.
func CopyPath(dir, name string) string {
	path := filepath.FromSlash(name)
	if !filepath.IsLocal(path) {
		path = filepath.Base(path)
	}
	return filepath.Join(dir, copies, path)
}

// CopyName is the name of the file of which a worker has this copy; dir has the folders of all
// plans.
func CopyName(dir, path string) (name string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	parts := strings.SplitN(filepath.ToSlash(rel), "/", 3)
	if len(parts) < 3 || parts[1] != copies {
		return "", false
	}
	return parts[2], true
}

// copies is the folder of a plan's folder that has the copy of its file.
const copies = "file"

// moreThanBefore reports whether the plan that a task of a file names has work left.
func (p *Planner) moreThanBefore(ctx context.Context, file string, t plan.Task) bool {
	if p.TeamWorkers == nil {
		return InnerOpen(file, t)
	}
	inner, err := p.freeze(ctx, engine.PlanSpec{File: file}, plan.Plan{Tasks: []plan.Task{t}}, nil, p.TeamWorkers.Name)
	in, is := inner[t.SubPlan]
	return err == nil && is && p.frozenOpen(ctx, in)
}

// innerOpen reports whether the plan that a task names has work left: according to its file,
// or, where the request has that, to its record.
func (p *Planner) innerOpen(ctx context.Context, spec engine.PlanSpec, t plan.Task) bool {
	in, is := spec.Inner[t.SubPlan]
	if !is || !frozen(spec) {
		return InnerOpen(spec.File, t)
	}
	return p.frozenOpen(ctx, in)
}

// frozenOpen is innerOpen for a plan that a request has: what a worker did is not in its text.
func (p *Planner) frozenOpen(ctx context.Context, in engine.InnerPlan) bool {
	c, err := p.frozenChild(in)
	if err != nil || c.plan.Status == plan.PlanArchived {
		return false
	}
	rec, err := p.Store.Read(ctx, in.ID)
	if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return false // nothing is done again for want of an answer
	}
	known := rec.State.Match(readTasks(c.plan, nil))
	for i, t := range c.plan.Tasks {
		done := known[i] != nil && known[i].Proved() && known[i].Digest == digest(t)
		done = done || t.Status == plan.Done
		inner, names := in.Inner[t.SubPlan]
		if t.Status.Open() && !done || done && names && p.frozenOpen(ctx, inner) {
			return true
		}
	}
	return false
}
