package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	s := money.Session{ID: a.getenv(sessionVariable)}
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
func (a *app) limitsBook(reading bool) *limits.Book { return limits.New(a.limitsDir(), a.now, reading) }

// warnLimits says once that the memory of limits does not work; loops run on.
func (a *app) warnLimits() func(error) {
	said := false
	return func(err error) {
		if !said {
			said = true
			a.say("! usage limits are not shared with other loops: %v", err)
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
			return "", "", usage(hint, "--budget %q: say what it bounds", v)
		}
	}
	if of, part, leveled := strings.Cut(what, "."); leveled {
		level, what = loop.BudgetLevel(of), part
	}
	if !slices.Contains([]loop.BudgetLevel{loop.SessionLevel, loop.PlanLevel, loop.TaskLevel}, level) ||
		!slices.Contains([]string{"money", "tokens", "attempts", "wall"}, what) {
		return "", "", usage(hint, "--budget %q: there is no budget of that", v)
	}
	return fmt.Sprintf("budget.%s.%s", level, what), strings.TrimSpace(amount), nil
}

// takeTurns gives a loop the agents that may take over from its first one while
// a usage limit is spent.
func (a *app) takeTurns(p *project, s *loop.Spec) error {
	s.Agent.OnLimit, s.Agents = on(p, s.Agent.Name), nil
	if s.Agent.OnLimit != loop.LimitSwitch {
		return nil
	}
	s.Agents = []loop.Agent{s.Agent}
	for _, name := range p.settings.Fallback(s.Agent.Name) {
		if name == s.Agent.Name {
			continue
		}
		next, err := a.agent(p, runFlags{agent: name})
		if f, ok := errors.AsType[*failure](err); ok {
			return &failure{code: exitConfig, err: fmt.Errorf("limits.fallback: %w", f.err), hint: f.hint}
		}
		if err != nil {
			return err
		}
		next.OnLimit = loop.LimitSwitch
		s.Agents = append(s.Agents, next)
	}
	if len(s.Agents) == 1 {
		return &failure{
			code: exitConfig, err: fmt.Errorf("on_usage_limit: switch, but there is no agent beside %s to switch to", s.Agent.Name),
			hint: "name one: limits: {fallback: [codex]}",
		}
	}
	return nil
}

// on leaves out the default, so that a record says only what was asked for.
func on(p *project, agent string) loop.OnLimit {
	if l := p.settings.OnUsageLimit(agent); l != loop.LimitWait {
		return l
	}
	return ""
}

// affordable refuses a budget in money that could not be kept: an agent that
// tells no cost, with a model whose price nobody knows.
func (a *app) affordable(p *project, s loop.Spec) error {
	key := moneyKey(p, s)
	if key == "" {
		return nil
	}
	prices := p.settings.Prices()
	payees := append([]loop.Agent{s.Agent}, s.Agents...)
	authors := len(payees)
	for _, g := range s.Gates {
		if g.Review != nil {
			payees = append(payees, g.Review.Reviewers...)
		}
	}
	for i, g := range payees {
		driver, known := drivers()[g.Use]
		if !known {
			continue
		}
		can := driver.Capabilities()
		if _, priced := prices.Find(g.Model); can.Cost || can.Person || can.Usage && priced {
			continue
		}
		who := "agent"
		if i >= authors {
			who = "reviewer"
		}
		f := &failure{code: exitConfig, err: fmt.Errorf("%s: %s %s tells no cost", strings.ReplaceAll(key, "_", " "), who, g.Name)}
		if p.settings.Origin(key).Layer == config.FlagLayer {
			f.code = exitUsage
		}
		switch {
		case !can.Usage:
			f.hint = "bound what it does tell: --budget attempts=20 or --budget wall=2h"
		case g.Model == "":
			f.err = fmt.Errorf("%w, and which model it will use is not known", f.err)
			f.hint = "name a model with a known price (agents: {" + g.Name + ": {model: …}}), or bound tokens: --budget tokens=2M"
		default:
			f.err = fmt.Errorf("%w, and the price of %s is not known", f.err, g.Model)
			f.hint = "prices: {" + strings.ToLower(g.Model) + ": {input: 3, output: 15}} in ralph.yaml (dollars for 1M tokens), or --budget tokens=2M"
		}
		return f
	}
	return nil
}

// budgetPlan sets what all loops of a plan may spend together. A plan that had
// ended, or is started fresh, has spent nothing.
func (a *app) budgetPlan(ctx context.Context, p *project, id string, fresh bool) error {
	have, err := p.store.Plan(ctx, id)
	if fresh || errors.Is(err, store.ErrNoPlan) || err == nil && have.State.Status.Terminal() {
		if err := p.engine.ForgetBudget(ctx, loop.PlanLevel, id); err != nil {
			return err
		}
	}
	limit := p.settings.BudgetOf(loop.PlanLevel)
	if !limit.Any() {
		return nil
	}
	return p.engine.SetBudget(ctx, loop.PlanLevel, id, limit)
}

// moneyKey is the setting that bounds the money of a loop; "" is none.
func moneyKey(p *project, s loop.Spec) string {
	levels := []loop.BudgetLevel{loop.TaskLevel, loop.SessionLevel}
	if s.Parent != "" || p.settings.Origin("budget.plan.money").Layer == config.FlagLayer {
		levels = append(levels, loop.PlanLevel)
	}
	for _, level := range levels {
		if p.settings.BudgetOf(level).MoneyMicroUSD > 0 {
			return fmt.Sprintf("budget.%s.money", level)
		}
	}
	return ""
}

// raise sets budgets of a loop, or of its plan, from now on. An amount after a
// plus sign is added to what there is.
func (a *app) raise(ctx context.Context, p *project, s loop.State, values []string) error {
	for _, v := range values {
		plain := strings.Replace(strings.Replace(v, "=+", "=", 1), "+", "", 1)
		settings, err := budgetSettings(loop.TaskLevel, []string{plain})
		if err != nil {
			return err
		}
		given, err := config.Resolve(config.Sources{Flags: settings})
		if err != nil {
			return err
		}
		level := loop.BudgetLevel(strings.Split(settings[0].Key, ".")[1])
		id := map[loop.BudgetLevel]string{loop.TaskLevel: s.ID, loop.PlanLevel: s.Parent}[level]
		if id == "" {
			return usage("--budget 5USD", "--budget %s: loop %s has no %s", v, s.ID, level)
		}
		have, _, err := p.engine.Budget(ctx, level, id)
		if err != nil {
			return err
		}
		limit := overlaid(have.Limit, given.BudgetOf(level), strings.Contains(v, "+"))
		if err := p.engine.SetBudget(ctx, level, id, limit); err != nil {
			return err
		}
		have.Limit = limit
		a.say("budget of this %s: %s", level, have.Line())
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

// budgetsOf are the budgets that a loop is paid from. What cannot be read is
// left out: it explains, and decides nothing here.
func (p *project) budgetsOf(ctx context.Context, id string) []money.Balance {
	all, err := p.engine.Budgets(ctx, id)
	if err != nil {
		return nil
	}
	return all
}
