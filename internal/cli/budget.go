package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store"
	"ralph/internal/store/limits"
)

// sessionVariable hands the session of a supervisor to the loops that it has
// others run, so that all of them share its budget.
const sessionVariable = "RALPH_PURSE"

// purse is what this process may spend.
func (a *app) purse(p *project) money.Session {
	s := money.Session{ID: a.Getenv(sessionVariable)}
	if loop.ValidID(s.ID) != nil {
		b := make([]byte, 8)
		_, _ = rand.Read(b)
		s.ID = "s-" + hex.EncodeToString(b)
		a.Env = append(slices.Clip(a.Env), sessionVariable+"="+s.ID)
	}
	if p.settings != nil {
		s.Budget = p.settings.BudgetOf(loop.SessionLevel)
	}
	return s
}

// limitsBook is the memory of usage limits that all loops of the person share.
func (a *app) limitsBook(reading bool) *limits.Book { return limits.New(a.limitsDir(), a.Now, reading) }

// warnLimits says once that the memory of limits does not work; loops run on.
func (a *app) warnLimits() func(error) {
	said := false
	return func(err error) {
		if !said {
			said = true
			a.Say("! usage limits are not shared with other loops: %v", err)
		}
	}
}

// The forms of --budget that need no word for what is bounded.
var (
	asMoney  = lazyregexp.New(`(?i)^\$|usd$`)
	asTokens = lazyregexp.New(`^[0-9.]+[kKMG]$`)
	asTime   = lazyregexp.New(`^[0-9.]+[0-9.hms]*[hms]$`)
)

// budgetSettings are what --budget means: 5USD, tokens=2M, plan.wall=8h. level
// is meant where none is named.
func budgetSettings(level loop.BudgetLevel, values []string) ([]config.Setting, error) {
	var out []config.Setting
	for _, v := range values {
		key, amount, err := budgetKey(level, v)
		if err != nil {
			return nil, err
		}
		out = append(out, config.Setting{Key: key, Flag: "--budget", Value: amount})
	}
	return out, nil
}

func budgetKey(level loop.BudgetLevel, v string) (key, amount string, err error) {
	const hint = "--budget 5USD, --budget tokens=2M, --budget attempts=20, --budget wall=2h; of a level: --budget session.money=20USD"
	what, amount, named := strings.Cut(v, "=")
	if !named {
		amount = strings.TrimSpace(v)
		switch {
		case asMoney.MatchString(amount):
			what = "money"
		case asTokens.MatchString(amount):
			what = "tokens"
		case asTime.MatchString(amount):
			what = "wall"
		default:
			return "", "", exit.UsageError(hint, "--budget %q: say what it bounds", v)
		}
	}
	if of, part, leveled := strings.Cut(what, "."); leveled {
		level, what = loop.BudgetLevel(of), part
	}
	if !slices.Contains([]loop.BudgetLevel{loop.SessionLevel, loop.PlanLevel, loop.TaskLevel}, level) ||
		!slices.Contains([]string{"money", "tokens", "attempts", "wall"}, what) {
		return "", "", exit.UsageError(hint, "--budget %q: there is no budget of that", v)
	}
	return fmt.Sprintf("budget.%s.%s", level, what), strings.TrimSpace(amount), nil
}

// budgetPlan sets what all loops of a plan may spend together. A plan that had
// ended, or is started fresh, has spent nothing. Tasks of any other that have begun
// may spend what is asked for now.
func (a *app) budgetPlan(ctx context.Context, p *project, id string, task loop.Amounts, fresh bool) error {
	have, err := p.store.Plan(ctx, id)
	if fresh || errors.Is(err, store.ErrNoPlan) || err == nil && have.State.Status.Terminal() {
		err = p.engine.ForgetBudget(ctx, loop.PlanLevel, id)
	} else if err == nil && task.Any() {
		err = a.raiseTasks(ctx, p, have.State, raised{level: loop.TaskLevel, amount: task})
	}
	if err != nil {
		return err
	}
	limit := p.settings.BudgetOf(loop.PlanLevel)
	if !limit.Any() {
		return nil
	}
	return p.engine.SetBudget(ctx, loop.PlanLevel, id, limit)
}

// budgetsOf are the budgets that a loop is paid from. What cannot be read is
// left out: it explains, and decides nothing here.
func (p *project) budgetsOf(ctx context.Context, id string) []money.Balance {
	all, err := p.engine.Budgets(ctx, id)
	if err != nil {
		return nil
	}
	return all
}
