package cli

import (
	"errors"
	"fmt"

	"ralph/internal/loop"
)

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
