package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/view"
)

// innerPlan is a plan that is run in the place of a task, as it is read before
// anything begins.
type innerPlan struct {
	name string
	task plan.Task
	file planfile.File
	// spec is what it will be asked for; wrong is why it cannot be run.
	spec  engine.PlanSpec
	wrong string
	// inner are those in the places of its own tasks, by their ids.
	inner map[string]*innerPlan
}

// innerPlans looks into the plans that open tasks of a plan name, and into those
// that these name. Their commands are proposals too: each plan's own.
func (a *Commands) innerPlans(ctx context.Context, p *project.Project, parent engine.PlanSpec, pl plan.Plan, f launch.Flags) (map[string]*innerPlan, error) {
	out := map[string]*innerPlan{}
	for _, t := range pl.Wanted(parent.Rules.Only) {
		if t.SubPlan == "" {
			continue
		}
		i := &innerPlan{name: t.SubPlan, task: t}
		out[t.ID] = i
		if err := a.innerPlan(ctx, p, parent, i, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (a *Commands) innerPlan(ctx context.Context, p *project.Project, parent engine.PlanSpec, i *innerPlan, f launch.Flags) (err error) {
	if i.wrong = a.readInner(parent, i); i.wrong != "" {
		return nil
	}
	path := i.spec.File
	// The agents are those of the whole tree of plans.
	if err := a.planAgents(p, i.file.Plan, launch.ShownPath(a.Opener, path)+": ", &i.spec); err != nil {
		return err
	}
	if err := feasible(i.file.Plan, i.spec); err != nil {
		return err
	}
	if err := launch.AffordablePlan(p, i.spec, i.file.Plan); err != nil {
		return err
	}
	if i.spec.Commands, err = a.planCommands(ctx, p, path, i.file.Plan, launch.ShownPath(a.Opener, path), f); err != nil {
		return err
	}
	if !provesAll(i.spec) {
		in, none := launch.ShownPath(a.Opener, path), loop.ErrNoHardGate
		if err := everyTaskProves(i.file.Plan, nil, i.spec.Commands, fmt.Errorf("%w: %s", none, in), in+": ", next.Approve(in)); err != nil {
			return err
		}
	}
	i.inner, err = a.innerPlans(ctx, p, i.spec, i.file.Plan, f)
	return err
}

// readInner reads its file, or says why it cannot be run.
func (a *Commands) readInner(parent engine.PlanSpec, i *innerPlan) string {
	path, err := planner.ChildFile(parent.File, i.name)
	switch {
	case errors.Is(err, planner.ErrOutside):
		return err.Error()
	case err != nil:
		return "it is not there"
	}
	if i.file, err = launch.LoadPlan(a.Opener, path, ""); err == nil {
		i.spec, err = planner.ChildSpec(parent, i.task, path, parent.Base, i.file.Plan)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// shownCommands are all commands that a plan and those in its tasks' places propose: a
// person was shown them, whether they are approved or not.
func shownCommands(pl plan.Plan, inner map[string]*innerPlan) []string {
	out := planner.Proposals(pl)
	for _, i := range inner {
		out = append(out, shownCommands(i.file.Plan, i.inner)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// view describes the plan before anything runs.
func (i *innerPlan) view() view.InnerPlan {
	pl := i.file.Plan
	o := view.InnerPlan{File: i.name, Wrong: i.wrong, All: len(pl.Tasks), Open: len(pl.Open().Tasks)}
	if i.wrong != "" {
		return o
	}
	o.Whole = accepted(pl.Commands, i.spec)
	for _, t := range pl.Tasks {
		own := view.InnerTask{ID: t.ID}
		if t.Status.Open() { // those of done tasks run on the result
			own.Gates = accepted(t.Commands, i.spec)
		} else {
			o.Whole = append(o.Whole, accepted(t.Commands, i.spec)...)
		}
		if inner := i.inner[t.ID]; inner != nil {
			words := inner.view()
			own.Inner = &words
		}
		if own.Inner != nil || len(own.Gates) > 0 {
			o.Tasks = append(o.Tasks, own)
		}
	}
	return o
}

// accepted are those of a plan's commands that are gates.
func accepted(commands []string, spec engine.PlanSpec) []loop.Gate {
	var out []loop.Gate
	for _, c := range commands {
		if g, ok := spec.Commands[c]; ok {
			out = append(out, g)
		}
	}
	return out
}
