package launch

import (
	"fmt"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
)

// payee is an agent that a budget pays, and as what.
type payee struct {
	loop.Agent
	role string
}

func payees(role string, agents ...loop.Agent) (out []payee) {
	for _, a := range agents {
		out = append(out, payee{a, role})
	}
	return out
}

// payeesOf are the agents of a loop: those that do the work, of whom one may
// stand in for reviewers, and its reviewers.
func payeesOf(s loop.Spec) []payee {
	out := payees("agent", append([]loop.Agent{s.Agent}, s.Agents...)...)
	for _, g := range s.Gates {
		if g.Review != nil {
			out = append(out, payees("reviewer", g.Review.Reviewers...)...)
		}
	}
	return out
}

// Affordable refuses a budget in money that a loop could not keep.
func Affordable(p *project.Project, s loop.Spec) error {
	return keepable(p, moneyKey(p, s.Parent != ""), payeesOf(s))
}

// AffordablePlan does so for a plan: agents that its tasks name and those that
// look at the whole are paid by it too. Voters of a council stand among the gates
// of its tasks.
func AffordablePlan(p *project.Project, s engine.PlanSpec, pl plan.Plan) error {
	all := payeesOf(s.Task)
	for _, t := range pl.Tasks {
		if named, ok := s.Agents[t.Agent]; ok {
			all = append(all, payees("agent", append([]loop.Agent{named}, s.Turns[named.Name]...)...)...)
		}
	}
	return keepable(p, moneyKey(p, true), append(all, payees("reviewer", s.Reviewers...)...))
}

// moneyKey is the setting that bounds the money of a loop, or of a plan; "" is
// none.
func moneyKey(p *project.Project, planned bool) string {
	levels := []loop.BudgetLevel{loop.TaskLevel, loop.SessionLevel}
	if planned || p.Settings.Origin("budget.plan.money").Layer == config.FlagLayer {
		levels = append(levels, loop.PlanLevel)
	}
	for _, level := range levels {
		if p.Settings.BudgetOf(level).MoneyMicroUSD > 0 {
			return fmt.Sprintf("budget.%s.money", level)
		}
	}
	return ""
}

// keepable refuses a budget in money that could not be kept: an agent that tells
// no cost, with a model whose price is unknown.
func keepable(p *project.Project, key string, all []payee) error {
	if key == "" {
		return nil
	}
	prices := p.Settings.Prices()
	for _, v := range all {
		can := agent.Capabilities{} // an unknown agent reports nothing
		if driver, known := registry.Drivers()[v.Use]; known {
			can = driver.Capabilities()
		}
		if !tells(can, v.Agent, prices) {
			f := v.tellsNothing(strings.ReplaceAll(key, "_", " "), can.Usage)
			if p.Settings.Origin(key).Layer == config.FlagLayer {
				f.Code = exit.Usage
			}
			return f
		}
	}
	return nil
}

// tells reports whether the cost of an agent's runs will be known. A person
// costs no money.
func tells(can agent.Capabilities, a loop.Agent, prices money.Prices) bool {
	_, priced := prices.Find(a.Model)
	return can.Cost || can.Person || can.Usage && priced
}

func (v payee) tellsNothing(key string, usage bool) *exit.Error {
	f := &exit.Error{Code: exit.Config, Err: fmt.Errorf("%s: %s %s tells no cost", key, v.role, v.Name)}
	switch {
	case !usage:
		f.Hint = "bound what it does tell: --budget attempts=20 or --budget wall=2h"
	case v.Model == "":
		f.Err = fmt.Errorf("%w, and which model it will use is not known", f.Err)
		f.Hint = "name a model with a known price (agents: {" + v.Name + ": {model: …}}), or bound tokens: --budget tokens=2M"
	default:
		f.Err = fmt.Errorf("%w, and the price of %s is not known", f.Err, v.Model)
		f.Hint = "prices: {" + strings.ToLower(v.Model) + ": {input: 3, output: 15}} in ralph.yaml (dollars for 1M tokens), or --budget tokens=2M"
	}
	return f
}
