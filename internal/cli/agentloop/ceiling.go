package agentloop

import (
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
)

// withinCeilings refuses flags, variables and a --config that loosen the limits of
// agent-driven loops: the agent that is held types them. A person may, with --force
// at a terminal.
func (c *Commands) withinCeilings(p *project.Project, f InitFlags) error {
	if f.whole || f.Force && c.Asks() {
		return nil
	}
	own, err := config.Find(p.Repo.Root, "", c.Env)
	if err != nil {
		return err
	}
	files, err := config.Resolve(config.Sources{Project: own.Project, User: own.User, Env: c.Env, Tree: p.Repo.Root}.FilesOnly())
	if err != nil {
		return err
	}
	for _, l := range p.Settings.Loosened(files) {
		return exit.UsageError(fmt.Sprintf("use %s %s; a person can set %s in %s, or type the command with --force at a terminal", l.Bound, l.Ceiling, l.Key, config.FileName),
			"%s %s: the limit of %s is %s (%s)", l.At, l.Wanted, l.Key, l.Ceiling, l.From)
	}
	return nil
}
