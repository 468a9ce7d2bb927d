package cli

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// raisePlan sets the budget of a plan from now on, or those of its tasks: of the
// loops under way, and of each that is still to begin. It answers what such a loop
// may spend. Where no level is named, the plan's own is meant, or its tasks' where
// it has none: an amount added to none would bound what nobody bounded.
func (a *app) raisePlan(ctx context.Context, p *project.Project, l engine.Plan, values []string) (loop.Amounts, error) {
	task := l.Spec.Task.Budget
	level := loop.PlanLevel
	if b, found, err := p.Engine.Budget(ctx, level, l.State.ID); err != nil {
		return task, err
	} else if task.Any() && (!found || !b.Limit.Any()) {
		level = loop.TaskLevel
	}
	for _, v := range values {
		r, err := raisedBy(v, level)
		switch {
		case err != nil:
			return task, err
		case r.level == loop.SessionLevel:
			return task, exit.UsageError("--budget plan.money=+5USD", "--budget %s: each run of a plan is a session of its own", v)
		case r.level == loop.PlanLevel:
			err = a.raiseOne(ctx, p, r, l.State.ID)
		default:
			task = r.over(task)
			err = a.raiseTasks(ctx, p, l.State, r)
		}
		if err != nil {
			return task, err
		}
	}
	return task, nil
}

// raiseLive sets the budget of a plan that another process runs. That one asks for
// the plan's budget before each run of an agent; what a task's loop that is to come
// may spend it took with it when it began.
func (a *app) raiseLive(ctx context.Context, p *project.Project, l engine.Plan, values []string) error {
	for _, v := range values {
		r, err := raisedBy(v, loop.PlanLevel)
		if err != nil {
			return err
		}
		if r.level != loop.PlanLevel {
			return &exit.Error{
				Code: exit.Busy, Err: fmt.Errorf("--budget %s: plan %s is being run: what each of its tasks may spend is set", v, l.State.ID),
				Hint: "raise one task's: ralph resume LOOP --budget …; or first " + next.Pause(l.State.ID),
			}
		}
		if err := a.raiseOne(ctx, p, r, l.State.ID); err != nil {
			return err
		}
	}
	a.Say("the process that runs it goes on with that; %s follows it", next.Follow(l.State.ID))
	if a.JSON {
		return a.planObject(ctx, p, l)
	}
	return nil
}

// raiseTasks does it for the loops under way, also of plans in tasks' places.
func (a *app) raiseTasks(ctx context.Context, p *project.Project, s plan.State, r raised) error {
	now := []string{s.Final}
	for _, t := range s.Tasks {
		if !t.Child || t.Status != plan.Running {
			now = append(now, t.Now())
			continue
		}
		inner, err := p.Planner.Show(ctx, t.Loop)
		if err == nil {
			err = a.raiseTasks(ctx, p, inner.State, r)
		}
		if err != nil && !errors.Is(err, engine.ErrNotFound) {
			return err
		}
	}
	for _, id := range now {
		if id == "" {
			continue
		}
		l, err := p.Engine.Show(ctx, id)
		if errors.Is(err, engine.ErrNotFound) || err == nil && l.State.Status.Terminal() {
			continue
		}
		if err == nil {
			err = a.raiseOne(ctx, p, r, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
