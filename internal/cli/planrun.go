package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// mayForget asks before the record of work is forgotten that nobody has brought
// home.
func (a *app) mayForget(ctx context.Context, p *project, id string) error {
	l, err := p.planner.Show(ctx, id)
	if errors.Is(err, engine.ErrNotFound) || err == nil && (l.State.Tip == l.State.Base || l.State.Accepted != "") {
		return nil
	}
	if err != nil {
		return err
	}
	yes, err := a.Confirm(ctx, "what landed of "+id+" is not accepted; begun anew, it is only kept on an archive branch. Begin anew?")
	if err == nil && !yes {
		err = exit.UsageError("ralph accept "+id, "nothing was begun")
	}
	return err
}

// runPlan works on the plan of a file.
func (a *app) runPlan(ctx context.Context, path string, f runFlags) error {
	p, err := a.locate(ctx)
	if err != nil {
		return err
	}
	f.budgetOf = loop.PlanLevel
	flags, err := f.settings()
	if err != nil {
		return err
	}
	if err := a.configure(p, append(flags, f.plan.settings()...)...); err != nil {
		return err
	}
	file, err := a.readPlan(path)
	if err != nil {
		return err
	}
	if p.prompt, err = p.template(); err != nil {
		return err
	}
	if err := a.connect(ctx, p, f.dryRun); err != nil {
		return err
	}
	defer p.close()
	file.Plan = askedFor(file.Plan, f.plan.tasks)
	var kept []string
	if file.Plan, kept, err = p.planner.Standing(ctx, path, file.Plan, f.fresh); err != nil {
		return err
	}
	if !f.fresh {
		if over, err := a.putAway(ctx, p, path, file.Plan); over || err != nil {
			return err
		}
	}
	spec, err := a.planSpec(ctx, p, path, file, f)
	if err != nil {
		if l, done := allDone(ctx, p, path, file.Plan, err); done && !f.fresh {
			return a.planEnd(ctx, p, l.State.ID)
		}
		return err
	}
	inner, err := a.innerPlans(ctx, p, spec, file.Plan, f)
	if err != nil {
		return err
	}
	spec.Shown = shownCommands(inner)
	opening := a.planOpening(p, file, spec, inner)
	opening.Kept = kept
	if opening.Lost, err = lost(ctx, p, path, file.Plan, spec.Base); err != nil {
		return err
	}
	if f.dryRun {
		return a.dryPlan(ctx, p, spec, file, opening, inner)
	}
	holds, err := a.sandboxLine(ctx, p, spec.Task)
	if err != nil {
		return err
	}
	if f.fresh {
		if err := a.mayForget(ctx, p, spec.ID); err != nil {
			return err
		}
	}
	if err := a.agree(ctx, opening, spec, f, holds); err != nil {
		return err
	}
	if err := a.budgetPlan(ctx, p, spec.ID, spec.Task.Budget, f.fresh); err != nil {
		return err
	}
	return a.drivePlan(ctx, p, f.events, func(ctx context.Context, d engine.Drive) (plan.State, error) {
		return p.planner.Start(ctx, spec, engine.Options{Fresh: f.fresh, Force: f.force}, d)
	})
}

// lost is what landed of these tasks in plans whose files are gone, in words.
func lost(ctx context.Context, p *project, path string, pl plan.Plan, base string) (out []string, err error) {
	all, err := p.planner.Lost(ctx, path, pl, base)
	for _, l := range all {
		out = append(out, l.Words())
	}
	return out, err
}

// askedFor is the plan with what is optional and was asked for as work to do.
func askedFor(pl plan.Plan, only []string) plan.Plan {
	pl.Tasks = slices.Clone(pl.Tasks)
	for i, t := range pl.Tasks {
		pl.Tasks[i].Status = planner.AskedFor(t, only)
	}
	return pl
}

// agree shows the plan and what holds its agents, and asks once on a terminal.
func (a *app) agree(ctx context.Context, opening view.PlanStart, spec engine.PlanSpec, f runFlags, holds string) error {
	if !f.events && !a.Quiet {
		for _, line := range view.PlanOpening(opening, a.Palette(a.Err)) {
			a.Say("%s", line)
		}
		a.Say("%s", holds)
	}
	if !a.Asks() || a.Yes {
		return nil
	}
	yes, err := a.YesOrNo(ctx, "Begin? [Y/n] ", true)
	if err == nil && !yes {
		err = exit.UsageError("ralph run "+strconv.Quote(spec.File)+" when you are ready", "nothing was begun")
	}
	return err
}
