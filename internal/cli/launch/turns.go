package launch

import (
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/loop"
)

// TakeTurns gives a loop the agents that may take over from its first one while
// a usage limit is spent.
func TakeTurns(a *project.Opener, p *project.Project, s *loop.Spec) (err error) {
	s.Agent, s.Agents, err = InTurn(a, p, s.Agent)
	return err
}

// InTurn is an agent with what it does while its usage limit is spent, and who may
// take over then, itself first; none where it does not switch.
func InTurn(a *project.Opener, p *project.Project, first loop.Agent) (loop.Agent, []loop.Agent, error) {
	first.OnLimit = on(p, first.Name)
	if first.OnLimit != loop.LimitSwitch {
		return first, nil, nil
	}
	all := []loop.Agent{first}
	for _, name := range p.Settings.Fallback(first.Name) {
		if name == first.Name {
			continue
		}
		next, err := Agent(a, p, Flags{Agent: name})
		if f, ok := errors.AsType[*exit.Error](err); ok {
			return first, nil, &exit.Error{Code: exit.Config, Err: fmt.Errorf("limits.fallback: %w", f.Err), Hint: f.Hint}
		}
		if err != nil {
			return first, nil, err
		}
		next.OnLimit = loop.LimitSwitch
		all = append(all, next)
	}
	if len(all) == 1 {
		return first, nil, &exit.Error{
			Code: exit.Config, Err: fmt.Errorf("on_usage_limit: switch, but there is no agent beside %s to switch to", first.Name),
			Hint: "name one: limits: {fallback: [codex]}",
		}
	}
	return first, all, nil
}

// on leaves out the default, so that a record says only what was asked for.
func on(p *project.Project, agent string) loop.OnLimit {
	if l := p.Settings.OnUsageLimit(agent); l != loop.LimitWait {
		return l
	}
	return ""
}
