package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// loopCommand groups what agents call for loops that they drive themselves
// (seed 000).
func (a *app) loopCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "loop",
		GroupID: command.GroupAgents,
		Short:   "Loops that an agent drives itself: init, work, check, until the gate passes",
		Example: `  ralph loop init --gate coverage --threshold 80 --max 5 --loop-id abc123
  ralph loop check --loop-id abc123     # exit code 0 done, 2 keep iterating, 1 failed
  ralph loop status --loop-id abc123
  ralph loop abort --loop-id abc123 --reason manual
  ralph loop list
  ralph loop cleanup                    # archive the loops that have ended`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exit.UsageError("ralph loop --help", "say what to do: init, check, status, abort, list, cleanup, publish, artifacts or take")
		},
	}
	cmd.AddCommand(a.loopInitCommand(), a.loopCheckCommand(), a.loopStatusCommand(), a.loopAbortCommand(), a.loopListCommand(), a.loopCleanupCommand(),
		a.publishCommand(), a.artifactsCommand(), a.takeCommand())
	return cmd
}

// drivenLoop finds the loop that an agent means: the one it names, else its
// session's, else the only one that is active.
func (a *app) drivenLoop(ctx context.Context, p *project.Project, name string) (engine.Loop, error) {
	if name != "" {
		id, err := p.Engine.Find(ctx, name)
		if err != nil {
			return engine.Loop{}, err
		}
		l, err := p.Engine.Show(ctx, id)
		if err == nil && l.State.Mode != loop.AgentDriven {
			err = exit.UsageError("ralph status "+id, "loop %s is run by ralph, not driven by an agent", id)
		}
		return l, err
	}
	active, err := p.Engine.List(ctx, engine.Filter{Active: true, Mode: loop.AgentDriven})
	if err != nil {
		return engine.Loop{}, err
	}
	if session := a.session(""); session != "" {
		own := slices.DeleteFunc(slices.Clone(active), func(l engine.Loop) bool { return l.State.Session != session })
		if len(own) == 1 {
			return own[0], nil
		}
	}
	switch len(active) {
	case 0:
		return engine.Loop{}, exit.UsageError("ralph loop list; begin one with ralph loop init --gate NAME", "no agent-driven loop is active here")
	case 1:
		return active[0], nil
	}
	return a.ChooseLoop(ctx, active)
}

// session is the id of the agent's own session: what was said, or what the
// agent's environment tells.
func (a *app) session(said string) string {
	for _, v := range []string{said, a.Getenv("RALPH_SESSION"), a.Getenv("CLAUDE_CODE_SESSION_ID")} {
		if v = strings.TrimSpace(v); v != "" {
			return v
		}
	}
	return ""
}
