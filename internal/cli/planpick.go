package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// planNamed finds the plan that a word names: its id or a unique beginning of
// it, or the path of its file.
func (a *app) planNamed(ctx context.Context, p *project.Project, name string) (string, error) {
	if path, err := a.planPath(name); err == nil && path != "" {
		name = path
	}
	return p.Planner.Find(ctx, name)
}

// meant is what a command without a name is about where plans go on: the plan that
// is alone, or what a person chooses of plans and of loops that belong to none of
// them. Without plans it is empty, and the loops decide.
func (a *app) meant(ctx context.Context, p *project.Project, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	plans, err := p.Planner.List(ctx, engine.Filter{Active: true})
	if err != nil || len(plans) == 0 {
		return "", err
	}
	loops, err := p.Engine.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return "", err
	}
	return a.Choose(ctx, project.Candidates(notOf(loops, plans), topmost(plans)))
}

// topmost leaves out the plans that run in a task's place of another.
func topmost(plans []engine.Plan) []engine.Plan {
	inner := func(l engine.Plan) bool {
		return slices.ContainsFunc(plans, func(p engine.Plan) bool { return slices.Contains(l.Spec.Ancestors, p.State.ID) })
	}
	return slices.DeleteFunc(slices.Clone(plans), inner)
}

// notOf leaves out the loops of plans: their plans resume those.
func notOf(loops []engine.Loop, plans []engine.Plan) []engine.Loop {
	return slices.DeleteFunc(loops, func(l engine.Loop) bool {
		return l.State.Task.Plan != nil && slices.ContainsFunc(plans, func(p engine.Plan) bool { return p.State.ID == l.State.Parent })
	})
}

// asPlan does something with the plan that a word names. It answers false where
// the word names none, or names a loop exactly.
func (a *app) asPlan(ctx context.Context, p *project.Project, name string, do func(id string) error) (bool, error) {
	if name == "" {
		return false, nil
	}
	id, err := a.planNamed(ctx, p, name)
	if errors.Is(err, engine.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	a.About = id
	return true, do(id)
}

// resumePlan goes on with a plan in the foreground.
//
// One that has ended stays as it is: ralph run FILE goes on with what is left.
func (a *app) resumePlan(ctx context.Context, p *project.Project, id string, f resumeFlags) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	if s := l.State.Status; s.Terminal() && s != loop.StatusPassed && len(f.budget) > 0 {
		return exit.UsageError(next.Run(a.shownPath(l.State.File), "--budget", strings.Replace(f.budget[0], "+", "", 1)), "plan %s has ended: a run of its file goes on, with a budget of its own", id)
	}
	if l.State.Status.Terminal() {
		a.Say("%s has ended; %s continues with the rest", id, next.Run(l.State.File))
		return a.planStands(ctx, p, l)
	}
	if f.Now && l.Live && !f.TakeOver {
		return a.commandPlan(ctx, p, id, engine.Command{Kind: engine.Wake, By: a.Owner()},
			"what waits for a usage limit is tried now, by the process that runs it; "+next.Follow(id)+" follows it")
	}
	if _, err := a.SandboxLine(ctx, p, l.Spec.Task); err != nil {
		return err
	}
	o := engine.Options{TakeOver: f.TakeOver, Force: f.Force, Now: f.Now, Recovery: f.Recovery}
	if len(f.budget) > 0 && l.Live && !f.TakeOver {
		return a.raiseLive(ctx, p, l, f.budget)
	}
	if o.TaskBudget, err = a.raisePlan(ctx, p, l, f.budget); err != nil {
		return err
	}
	return a.drivePlan(ctx, p, f.events, func(ctx context.Context, d engine.Drive) (plan.State, error) {
		return p.Planner.Resume(ctx, id, o, d)
	})
}

// commandPlan hands a command to a plan.
func (a *app) commandPlan(ctx context.Context, p *project.Project, id string, c engine.Command, said string) error {
	if _, err := p.Planner.Send(ctx, id, c); err != nil {
		return err
	}
	if a.JSON {
		l, err := p.Planner.Show(ctx, id)
		if err != nil {
			return err
		}
		return a.planObject(ctx, p, l)
	}
	a.Say("%s: %s", id, said)
	return nil
}

// showPlan tells the story of one plan.
func (a *app) showPlan(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.planObject(ctx, p, l)
	}
	a.Print(view.PlanShow(l.State, wholeFacts(ctx, p, l), a.Now(), a.Palette(a.Out)))
	return nil
}

// showPlanDiff shows what landed.
func (a *app) showPlanDiff(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	if l.State.Tip == l.State.Base {
		a.Say("nothing has landed")
		return nil
	}
	return a.showDiff(ctx, engine.Loop{State: loop.State{Spec: loop.Spec{Base: l.State.Base}, Commit: l.State.Tip}})
}

// planOfLoop goes on with the plan of a loop whose plan nobody runs: the plan
// takes its loops up, and knows what comes after them. It answers false for any
// other loop.
func (a *app) planOfLoop(ctx context.Context, p *project.Project, l engine.Loop, f resumeFlags) (bool, error) {
	if l.State.Task.Plan == nil || f.From > 0 {
		return false, nil
	}
	own, err := p.Planner.Show(ctx, l.State.Parent)
	if errors.Is(err, engine.ErrNotFound) || err == nil && own.State.Status.Terminal() {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	if own.Live {
		return true, &exit.Error{
			Code: exit.Busy, Err: fmt.Errorf("%s belongs to plan %s, which is being run", l.State.ID, own.State.ID),
			Hint: next.Follow(own.State.ID),
		}
	}
	a.Say("%s belongs to plan %s; the plan goes on", l.State.ID, own.State.ID)
	return true, a.resumePlan(ctx, p, own.State.ID, f)
}
