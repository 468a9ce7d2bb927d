package cli

import (
	"context"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/loop"
	"ralph/internal/next"
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
	settings, err := launch.BudgetSettings(level, []string{plain})
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
func (a *app) raise(ctx context.Context, p *project.Project, s loop.State, values []string) error {
	for _, v := range values {
		r, err := raisedBy(v, loop.TaskLevel)
		if err != nil {
			return err
		}
		id := map[loop.BudgetLevel]string{loop.TaskLevel: s.ID, loop.PlanLevel: s.Parent}[r.level]
		if r.level == loop.SessionLevel {
			return exit.UsageError(next.Resume(s.ID), "--budget %s: each process is a session of its own, with the budget of ralph.yaml", v)
		}
		if id == "" {
			return exit.UsageError("--budget 5USD", "--budget %s: loop %s has no %s", v, s.ID, r.level)
		}
		if err := a.raiseOne(ctx, p, r, id); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) raiseOne(ctx context.Context, p *project.Project, r raised, id string) error {
	have, _, err := p.Engine.Budget(ctx, r.level, id)
	if err != nil {
		return err
	}
	before := have.Limit
	if have.Limit = r.over(before); have.Limit == before {
		return nil
	}
	if err := p.Engine.SetBudget(ctx, r.level, id, have.Limit); err != nil {
		return err
	}
	a.Say("budget of %s %s: %s", map[bool]string{true: "task", false: "plan"}[r.level == loop.TaskLevel], id, have.Line())
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
