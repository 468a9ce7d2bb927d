package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
	"ralph/internal/view"
)

// budgetPlan sets what all loops of a plan may spend together. A plan that had
// ended, or is started fresh, has spent nothing. Tasks of any other that have begun
// may spend what is asked for now.
func (a *Commands) budgetPlan(ctx context.Context, p *project.Project, id string, task loop.Amounts, fresh bool) error {
	have, err := p.Plans.Show(ctx, id)
	if fresh || errors.Is(err, engine.ErrNotFound) || err == nil && have.State.Status.Terminal() {
		err = p.Loops.ForgetPlanBudget(ctx, id)
	} else if err == nil && task.Any() {
		err = runs.RaiseTasks(ctx, a.Opener, p, have.State, runs.Raise{Level: loop.TaskLevel, Raise: loop.Raise{Amounts: task}})
	}
	if err != nil {
		return err
	}
	limit := p.Settings.BudgetOf(loop.PlanLevel)
	if !limit.Any() {
		return nil
	}
	return p.Loops.SetPlanBudget(ctx, id, limit)
}

// mayForget asks before a fresh start forgets work that was not accepted.
func (a *Commands) mayForget(ctx context.Context, p *project.Project, id string, abandon bool) error {
	l, err := p.Plans.Show(ctx, id)
	if err == nil && l.State.Away() && abandon {
		return a.mayAbandon(ctx, l.State)
	}
	if errors.Is(err, engine.ErrNotFound) || err == nil && (l.State.Tip == l.State.Base || l.State.Accepted != "") {
		return nil
	}
	if err != nil {
		return err
	}
	yes, err := a.Confirm(ctx, "what landed of "+id+" is not accepted; begun anew, it is only kept on an archive branch. Begin anew?")
	if err == nil && !yes {
		err = exit.UsageError(next.Accept(id), "nothing was begun")
	}
	return err
}

// mayAbandon asks before a plan begins anew that was moved to a server.
func (a *Commands) mayAbandon(ctx context.Context, s plan.State) error {
	yes, err := a.Confirm(ctx, "what was done of "+s.ID+" on "+s.Move.To.String()+" since it moved there is not here: it is lost with that server, and where workers still have the plan, both continue apart. Begin anew?")
	if err == nil && !yes {
		err = exit.UsageError(next.Move(s.ID, loop.Home{Engine: loop.LocalEngine})+" brings it here while the server answers", "nothing was begun")
	}
	return err
}

// RunPlan works on the plan of a file.
func (a *Commands) RunPlan(ctx context.Context, path string, f launch.Flags) error {
	f.BudgetOf = loop.PlanLevel
	p, file, err := a.openPlan(ctx, path, f)
	if err != nil {
		return err
	}
	defer p.Close()
	file.Plan = askedFor(file.Plan, f.Plan.Tasks)
	var kept []string
	if file.Plan, kept, err = p.Plans.TasksNow(ctx, path, file.Plan, f.Fresh); err != nil {
		return err
	}
	if !f.Fresh {
		if over, err := a.putAway(ctx, p, path, file.Plan); over || err != nil {
			return err
		}
	}
	a.About = planner.IDOf(path)
	if idle, err := a.nothingAsked(ctx, p, path, file.Plan, f); idle || err != nil {
		return err
	}
	spec, err := a.planSpec(ctx, p, path, file, f)
	if err != nil {
		if l, done := allDone(ctx, p, path, file.Plan, err); done && !f.Fresh {
			return runs.OfPlan(a.Opener, p, l).Ending(ctx)
		}
		return err
	}
	inner, err := a.innerPlans(ctx, p, spec, file.Plan, f)
	if err != nil {
		return err
	}
	spec.Shown = shownCommands(file.Plan, inner)
	opening := a.planOpening(p, file, spec, inner)
	opening.Kept = kept
	if opening.Lost, err = runs.Lost(ctx, p, path, file.Plan, spec.Base); err != nil {
		return err
	}
	if f.DryRun {
		return a.dryPlan(ctx, p, spec, file, opening, inner)
	}
	if err := a.NoRoom(p); err != nil {
		return err
	}
	if err := a.consent(ctx, p, spec, file.Plan, opening, f); err != nil {
		return err
	}
	if err := a.budgetPlan(ctx, p, spec.ID, spec.Task.Budget, f.Fresh); err != nil {
		return err
	}
	return a.runner.DrivePlan(ctx, p, f.Events, func(ctx context.Context, d engine.Drive) (plan.State, error) {
		return p.Plans.Start(ctx, spec, engine.Options{Fresh: f.Fresh, Force: f.Force, Abandon: f.Abandon}, d)
	})
}

// openPlan opens the project, and reads the file of a plan before anything is made for it.
func (a *Commands) openPlan(ctx context.Context, path string, f launch.Flags) (*project.Project, planfile.File, error) {
	p, err := a.Locate(ctx)
	if err != nil {
		return nil, planfile.File{}, err
	}
	flags, err := f.Settings()
	if err != nil {
		return nil, planfile.File{}, err
	}
	if err := a.Configure(p, append(flags, f.Plan.Settings()...)...); err != nil {
		return nil, planfile.File{}, err
	}
	file, err := launch.ReadPlan(a.Opener, path)
	if err != nil {
		return nil, file, err
	}
	if p.Prompt, err = p.Template(); err != nil {
		return nil, file, err
	}
	return p, file, a.Connect(ctx, p, f.DryRun)
}

// consent shows what the plan will do, and asks for what the user has to allow.
func (a *Commands) consent(ctx context.Context, p *project.Project, spec engine.PlanSpec, pl plan.Plan, opening view.PlanStart, f launch.Flags) error {
	if err := a.Allow(ctx, p); err != nil {
		return err
	}
	holds, err := a.SandboxLine(ctx, p, spec.Task)
	if err != nil {
		return err
	}
	if f.Fresh {
		if err := a.mayForget(ctx, p, spec.ID, f.Abandon); err != nil {
			return err
		}
	}
	if err := launch.SayUnmatched(ctx, a.Opener, p, spec.Task, pl.Open().Tasks...); err != nil {
		return err
	}
	return a.agree(ctx, opening, spec, f, holds)
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
func (a *Commands) agree(ctx context.Context, opening view.PlanStart, spec engine.PlanSpec, f launch.Flags, holds string) error {
	if !f.Events && !a.Quiet {
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
		err = exit.UsageError(next.Run(spec.File)+" when you are ready", "nothing was begun")
	}
	return err
}

// putAway says that a plan is archived, and what can be done about it; false: it
// is not, and is run. It is where its file says so, or lies in archived/ and has
// no word for it, or where its run is archived, did everything, and the file asks for
// nothing more.
func (a *Commands) putAway(ctx context.Context, p *project.Project, path string, pl plan.Plan) (bool, error) {
	l, err := p.Plans.Show(ctx, planner.IDOf(path))
	known := err == nil
	if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return false, err
	}
	open := len(pl.Open().Tasks)
	switch {
	case pl.Status == plan.PlanArchived:
	case pl.Status == "" && planner.InArchive(path):
	case known && l.Archived && allOver(l.State) && open == 0 && len(pl.Gaps)+len(pl.EdgeCases) == 0:
	default:
		return false, nil
	}
	if !known {
		l.State = p.Plans.Unrun(path, pl)
	}
	l.Archived = true
	if a.JSON {
		return true, runs.WritePlan(ctx, a.Opener, p, l)
	}
	a.Say("%s is archived: there is nothing to do", launch.ShownPath(a.Opener, path))
	if open > 0 {
		a.Say("  tasks that are open in it all the same: %d", open)
		if pl.Status == plan.PlanArchived {
			a.Say("  write status: in_progress into it, and it is worked on")
		}
	}
	if l.State.Tip != l.State.Base && l.State.Accepted == "" {
		a.Say("  its work is not accepted yet: %s", next.Accept(l.State.ID))
	}
	a.Say("  begun anew: %s", next.Run(launch.ShownPath(a.Opener, path), "--fresh"))
	return true, nil
}

// allOver reports that a run did every task and left nothing open, reviewed or not.
func allOver(s plan.State) bool {
	return s.Status == loop.StatusPassed && len(s.Rules.Only) == 0 && len(s.Open()) == 0
}

// nothingAsked says that the tasks that were asked for are done, where others are left, and
// how the plan stands; false: there is something to do.
func (a *Commands) nothingAsked(ctx context.Context, p *project.Project, path string, pl plan.Plan, f launch.Flags) (bool, error) {
	only := f.Plan.Tasks
	if len(only) == 0 || f.Fresh || len(pl.Open().Tasks) == 0 || len(pl.Wanted(only)) > 0 ||
		slices.ContainsFunc(only, func(id string) bool { return !hasTask(pl, id) }) {
		return false, nil
	}
	l, err := p.Plans.Show(ctx, planner.IDOf(path))
	switch {
	case errors.Is(err, engine.ErrNotFound):
		l.State = p.Plans.Unrun(path, pl)
	case err != nil:
		return false, err
	}
	a.Say("nothing to do: %s %s done", text.Clean(strings.Join(only, ", ")), map[bool]string{true: "is", false: "are"}[len(only) == 1])
	if a.JSON {
		return true, runs.WritePlan(ctx, a.Opener, p, l)
	}
	item, err := runs.PlanItem(ctx, p, l, runs.Proving)
	if err != nil {
		return false, err
	}
	a.Say("\n%s", view.PlanOf(item, a.Now()).End(a.Now(), a.Palette(a.Err)))
	return true, nil
}

// allDone: there is no agent for a plan (err), and nothing of it is left to do:
// it has passed as it stands.
func allDone(ctx context.Context, p *project.Project, path string, pl plan.Plan, err error) (engine.Plan, bool) {
	if f, ok := errors.AsType[*exit.Error](err); !ok || f.Code != exit.Missing || len(pl.Open().Tasks) > 0 {
		return engine.Plan{}, false
	}
	l, err := p.Plans.Show(ctx, planner.IDOf(path))
	again := l.State.Review != nil && l.State.Review.Again
	return l, err == nil && l.State.Status == loop.StatusPassed && l.State.Reason == plan.AllDone && !again
}
