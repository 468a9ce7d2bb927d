package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// planReviews are who looks at chunks and at the whole. A reviewer that is not
// installed is found now.
func (a *Commands) planReviews(p *project.Project, spec *engine.PlanSpec) error {
	reviewers, self := p.Settings.Magi()
	council := p.Settings.PlanCouncil()
	all := [][]loop.Agent{reviewers}
	if council != nil {
		all = append(all, council.Reviewers)
	}
	for _, some := range all {
		if err := launch.AllConfigured(a.Opener, p, some); err != nil {
			return err
		}
	}
	spec.Reviewers, spec.ReviewSelf, spec.Council = reviewers, self, council
	spec.ReviewTimeout = loop.Deadline(p.Settings.Settings.Review.Timeout)
	spec.Rules.Review = len(reviewers) > 0 || council != nil || self
	if spec.Rules.ByReview && len(reviewers) == 0 {
		return &exit.Error{
			Code: exit.Config, Err: errors.New("no reviewer is configured to approve how tasks are done"),
			Hint: "name review.reviewers, or let a person agree: --approve-plan",
		}
	}
	return nil
}

// planAgents are the agents that tasks may name, and who may take over from them:
// those of the plan, and all that are configured, since a task can come, or change
// its agent, while the plan runs.
func (a *Commands) planAgents(p *project.Project, pl plan.Plan, where string, spec *engine.PlanSpec) error {
	named := func(name string) bool {
		return slices.ContainsFunc(pl.Tasks, func(t plan.Task) bool { return strings.EqualFold(t.Agent, name) })
	}
	aliases := p.Settings.Settings.Plans.Agents
	for _, g := range p.Settings.Agents() {
		if err := a.planAgent(p, g.Name, g.Name, spec); err != nil && named(g.Name) {
			return err
		}
	}
	for _, alias := range slices.Sorted(maps.Keys(aliases)) {
		if err := a.planAgent(p, alias, aliases[alias], spec); err != nil && named(alias) {
			return fmt.Errorf("plans.agents: %s: %w", alias, err)
		}
	}
	for _, t := range pl.Tasks {
		if _, known := spec.Agents[t.Agent]; t.Agent == "" || known || !t.Status.Open() || t.SubPlan != "" {
			continue
		}
		if err := a.planAgent(p, t.Agent, launch.PlanAgentName(p, t.Agent), spec); err != nil {
			return unknownAgent(where, t, spec, err)
		}
	}
	return nil
}

// planAgent adds an agent under the name that tasks use for it.
func (a *Commands) planAgent(p *project.Project, as, name string, spec *engine.PlanSpec) error {
	found, err := launch.Agent(a.Opener, p, launch.Flags{Agent: name, OfPlan: true})
	if err != nil {
		return err
	}
	found, turns, err := launch.InTurn(a.Opener, p, found)
	if err == nil {
		spec.Agents[as], spec.Turns[found.Name] = found, turns
	}
	return err
}

// unknownAgent is the error for a task whose agent is not configured; an agent that
// is, and cannot be had, tells why itself.
func unknownAgent(where string, t plan.Task, spec *engine.PlanSpec, err error) error {
	if e, is := errors.AsType[*exit.Error](err); is && e.Code != exit.Usage {
		return err
	}
	have := "no agent is configured"
	if names := slices.Sorted(maps.Keys(spec.Agents)); len(names) > 0 {
		have = "configured are: " + strings.Join(names, ", ")
	}
	return &exit.Error{
		Code: exit.Config,
		Err:  fmt.Errorf("%stask %s names the agent %q, which is not configured; %s", where, t.ID, t.Agent, have),
		Hint: launch.PlanAgentHint(t.Agent, spec.Task.Agent, spec.Agents),
	}
}
