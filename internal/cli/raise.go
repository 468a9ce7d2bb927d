package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// raised is one --budget of resume: what it bounds from now on. An amount after a
// plus sign is added to what there is.
type raised struct {
	level  loop.BudgetLevel
	amount loop.Amounts
	add    bool
}

func raisedBy(value string, level loop.BudgetLevel) (raised, error) {
	plain := strings.Replace(strings.Replace(value, "=+", "=", 1), "+", "", 1)
	settings, err := budgetSettings(level, []string{plain})
	if err != nil {
		return raised{}, err
	}
	given, err := config.Resolve(config.Sources{Flags: settings})
	if err != nil {
		return raised{}, err
	}
	level = loop.BudgetLevel(strings.Split(settings[0].Key, ".")[1])
	return raised{level, given.BudgetOf(level), strings.Contains(value, "+")}, nil
}

// over is a limit with what was given in place of its own, or added to it.
func (r raised) over(have loop.Amounts) loop.Amounts { return overlaid(have, r.amount, r.add) }

// raise sets budgets of a loop, or of its plan, from now on.
func (a *app) raise(ctx context.Context, p *project, s loop.State, values []string) error {
	for _, v := range values {
		r, err := raisedBy(v, loop.TaskLevel)
		if err != nil {
			return err
		}
		id := map[loop.BudgetLevel]string{loop.TaskLevel: s.ID, loop.PlanLevel: s.Parent}[r.level]
		if r.level == loop.SessionLevel {
			return usage("ralph resume "+s.ID, "--budget %s: each process is a session of its own, with the budget of ralph.yaml", v)
		}
		if id == "" {
			return usage("--budget 5USD", "--budget %s: loop %s has no %s", v, s.ID, r.level)
		}
		if err := a.raiseOne(ctx, p, r, id); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) raiseOne(ctx context.Context, p *project, r raised, id string) error {
	have, _, err := p.engine.Budget(ctx, r.level, id)
	if err != nil {
		return err
	}
	before := have.Limit
	if have.Limit = r.over(before); have.Limit == before {
		return nil
	}
	if err := p.engine.SetBudget(ctx, r.level, id, have.Limit); err != nil {
		return err
	}
	a.say("budget of %s %s: %s", map[bool]string{true: "task", false: "plan"}[r.level == loop.TaskLevel], id, have.Line())
	return nil
}

// raisePlan sets the budget of a plan from now on, or those of its tasks: of the
// loops under way, and of each that is still to begin. It answers what such a loop
// may spend. Where no level is named, the plan's own is meant, or its tasks' where
// it has none: an amount added to none would bound what nobody bounded.
func (a *app) raisePlan(ctx context.Context, p *project, l engine.Plan, values []string) (loop.Amounts, error) {
	task := l.Spec.Task.Budget
	level := loop.PlanLevel
	if b, found, err := p.engine.Budget(ctx, level, l.State.ID); err != nil {
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
			return task, usage("--budget plan.money=+5USD", "--budget %s: each run of a plan is a session of its own", v)
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
func (a *app) raiseLive(ctx context.Context, p *project, l engine.Plan, values []string) error {
	for _, v := range values {
		r, err := raisedBy(v, loop.PlanLevel)
		if err != nil {
			return err
		}
		if r.level != loop.PlanLevel {
			return &failure{
				code: exitBusy, err: fmt.Errorf("--budget %s: plan %s is being run: what each of its tasks may spend is set", v, l.State.ID),
				hint: "raise one task's: ralph resume LOOP --budget …; or first ralph pause " + l.State.ID,
			}
		}
		if err := a.raiseOne(ctx, p, r, l.State.ID); err != nil {
			return err
		}
	}
	a.say("the process that runs it goes on with that; ralph logs %s -f follows it", l.State.ID)
	if a.json {
		return a.planRun(ctx, p, l)
	}
	return nil
}

// raiseTasks does it for the loops under way, also of plans in tasks' places.
func (a *app) raiseTasks(ctx context.Context, p *project, s plan.State, r raised) error {
	now := []string{s.Final}
	for _, t := range s.Tasks {
		if !t.Child || t.Status != plan.Running {
			now = append(now, t.Now())
			continue
		}
		inner, err := p.planner.ShowPlan(ctx, t.Loop)
		if err == nil {
			err = a.raiseTasks(ctx, p, inner.State, r)
		}
		if err != nil && !errors.Is(err, engine.ErrNoPlan) {
			return err
		}
	}
	for _, id := range now {
		if id == "" {
			continue
		}
		l, err := p.engine.Show(ctx, id)
		if errors.Is(err, engine.ErrNoLoop) || err == nil && l.State.Status.Terminal() {
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

// overlaid is a limit with the given parts of another in place of its own, or
// added to them.
func overlaid(have, given loop.Amounts, add bool) loop.Amounts {
	for _, p := range []struct{ have, given *int64 }{
		{&have.MoneyMicroUSD, &given.MoneyMicroUSD},
		{&have.Tokens, &given.Tokens},
		{&have.Attempts, &given.Attempts},
		{(*int64)(&have.Wall), (*int64)(&given.Wall)},
	} {
		switch {
		case *p.given > 0 && add:
			*p.have += *p.given
		case *p.given > 0:
			*p.have = *p.given
		}
	}
	return have
}
