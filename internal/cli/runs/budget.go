package runs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// Raise is one --budget of resume: what it bounds from now on. An amount after a
// plus sign is added to what there is.
type Raise struct {
	loop.Raise
	Level loop.BudgetLevel
}

func raisedBy(value string, level loop.BudgetLevel) (Raise, error) {
	plain := strings.Replace(strings.Replace(value, "=+", "=", 1), "+", "", 1)
	settings, err := launch.BudgetSettings(level, []string{plain})
	if err != nil {
		return Raise{}, err
	}
	given, err := config.Resolve(config.Sources{Flags: settings})
	if err != nil {
		return Raise{}, err
	}
	level = loop.BudgetLevel(strings.Split(settings[0].Key, ".")[1])
	return Raise{loop.Raise{Amounts: given.BudgetOf(level), Add: strings.Contains(value, "+")}, level}, nil
}

// RaiseLoop sets budgets of a loop, or of its plan, from now on.
func RaiseLoop(ctx context.Context, a *project.Opener, p *project.Project, s loop.State, values []string) error {
	for _, v := range values {
		r, err := raisedBy(v, loop.TaskLevel)
		if err != nil {
			return err
		}
		id := map[loop.BudgetLevel]string{loop.TaskLevel: s.ID, loop.PlanLevel: s.Parent}[r.Level]
		if r.Level == loop.SessionLevel {
			return exit.UsageError(next.Resume(s.ID), "--budget %s: each process is a session of its own, with the budget of ralph.yaml", v)
		}
		if id == "" {
			return exit.UsageError("--budget 5USD", "--budget %s: loop %s has no %s", v, s.ID, r.Level)
		}
		if err := raiseOne(ctx, a, p, r, id); err != nil {
			return err
		}
	}
	return nil
}

// raiseOne changes one budget and shows it. That of a loop at work is shown as it was asked for:
// its process records it a moment later, after what others asked for before.
func raiseOne(ctx context.Context, a *project.Opener, p *project.Project, r Raise, id string) error {
	before, _, err := p.Loops.Budget(ctx, r.Level, id)
	if err != nil || r.Over(before.Limit) == before.Limit {
		return err
	}
	if r.Level == loop.PlanLevel {
		if err := p.Loops.RaisePlanBudget(ctx, id, r.Raise); err != nil {
			return err
		}
		return showBudget(ctx, a, p, r.Level, id)
	}
	if err := p.Loops.RaiseLoopBudget(ctx, id, r.Raise, a.Owner()); err != nil {
		return err
	}
	l, err := p.Loops.Show(ctx, id)
	if err != nil || !l.Live {
		return errors.Join(err, showBudget(ctx, a, p, r.Level, id))
	}
	a.Say("budget of task %s: %s", id, r)
	return nil
}

func showBudget(ctx context.Context, a *project.Opener, p *project.Project, level loop.BudgetLevel, id string) error {
	now, _, err := p.Loops.Budget(ctx, level, id)
	if err == nil {
		a.Say("budget of %s %s: %s", level, id, now.Line())
	}
	return err
}

// String is the raise as it was given: +1.5USD, tokens=+100.
func (r Raise) String() string {
	all := r.Settings()
	for i, s := range all {
		if name, amount, named := strings.Cut(s, "="); r.Add && named {
			all[i] = name + "=+" + amount
		} else if r.Add {
			all[i] = "+" + s
		}
	}
	return strings.Join(all, ", ")
}

// RaisePlan sets the budget of a plan from now on, or those of its tasks: of the
// loops under way, and of each that is still to begin. It answers what such a loop
// may spend. Where no level is named, the plan's own is meant, or its tasks' where
// it has none: an amount added to none would add a limit that was not asked for.
func RaisePlan(ctx context.Context, a *project.Opener, p *project.Project, l engine.Plan, values []string) (loop.Amounts, error) {
	task := l.Spec.Task.Budget
	level := loop.PlanLevel
	if b, found, err := p.Loops.Budget(ctx, level, l.State.ID); err != nil {
		return task, err
	} else if task.Any() && (!found || !b.Limit.Any()) {
		level = loop.TaskLevel
	}
	for _, v := range values {
		r, err := raisedBy(v, level)
		switch {
		case err != nil:
			return task, err
		case r.Level == loop.SessionLevel:
			return task, exit.UsageError("--budget plan.money=+5USD", "--budget %s: each run of a plan is a session of its own", v)
		case r.Level == loop.PlanLevel:
			err = raiseOne(ctx, a, p, r, l.State.ID)
		default:
			task = r.Over(task)
			err = RaiseTasks(ctx, a, p, l.State, r)
		}
		if err != nil {
			return task, err
		}
	}
	return task, nil
}

// RaiseLivePlan sets the budget of a plan that another process runs. That one asks for
// the plan's budget before each run of an agent; what a task's loop that is to come
// may spend it took with it when it began.
func RaiseLivePlan(ctx context.Context, a *project.Opener, p *project.Project, l engine.Plan, values []string) error {
	for _, v := range values {
		r, err := raisedBy(v, loop.PlanLevel)
		if err != nil {
			return err
		}
		if r.Level != loop.PlanLevel {
			return &exit.Error{
				Code: exit.Busy, Err: fmt.Errorf("--budget %s: plan %s is being run: what each of its tasks may spend is set", v, l.State.ID),
				Hint: "raise one task's: " + next.Resume("LOOP", "--budget …") + "; or first " + next.Pause(l.State.ID),
			}
		}
		if err := raiseOne(ctx, a, p, r, l.State.ID); err != nil {
			return err
		}
	}
	a.Say("its process continues with the new budget; follow it with: %s", next.Follow(l.State.ID))
	if a.JSON {
		return WritePlan(ctx, a, p, l)
	}
	return nil
}

// RaiseTasks does it for the loops under way, also of plans in tasks' places.
func RaiseTasks(ctx context.Context, a *project.Opener, p *project.Project, s plan.State, r Raise) error {
	now := []string{s.Final}
	for _, t := range s.Tasks {
		if !t.Child || t.Status != plan.Running {
			now = append(now, t.Now())
			continue
		}
		inner, err := p.Plans.Show(ctx, t.Loop)
		if err == nil {
			err = RaiseTasks(ctx, a, p, inner.State, r)
		}
		if err != nil && !errors.Is(err, engine.ErrNotFound) {
			return err
		}
	}
	for _, id := range now {
		if id == "" {
			continue
		}
		l, err := p.Loops.Show(ctx, id)
		if errors.Is(err, engine.ErrNotFound) || err == nil && l.State.Status.Terminal() {
			continue
		}
		if err == nil {
			err = raiseOne(ctx, a, p, r, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
