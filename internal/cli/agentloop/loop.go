package agentloop

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// LoopCommand returns ralph loop, the verbs for loops that an agent drives
// itself (seed 000).
func (c *Commands) LoopCommand() *cobra.Command {
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
	cmd.AddCommand(c.initCommand(), c.checkCommand(), c.statusCommand(), c.abortCommand(), c.listCommand(), c.cleanupCommand(),
		c.publishCommand(), c.artifactsCommand(), c.takeCommand())
	return cmd
}

// find returns the loop with a name; without one, the loop of the session, or the
// only active loop.
func (c *Commands) find(ctx context.Context, p *project.Project, name string) (engine.Loop, error) {
	if name != "" {
		id, err := p.Loops.Find(ctx, name)
		if err != nil {
			return engine.Loop{}, err
		}
		l, err := p.Loops.Show(ctx, id)
		if err == nil && l.State.Mode != loop.AgentDriven {
			err = exit.UsageError(next.Status(id), "loop %s is run by ralph, not driven by an agent", id)
		}
		return l, err
	}
	active, err := p.Loops.List(ctx, engine.Filter{Active: true, Mode: loop.AgentDriven})
	if err != nil {
		return engine.Loop{}, err
	}
	if session := c.sessionID(""); session != "" {
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
	return c.ChooseLoop(ctx, active)
}

// sessionID returns the id of the agent's own session: the given one, or that of
// its environment.
func (c *Commands) sessionID(given string) string {
	if given = strings.TrimSpace(given); given != "" {
		return given
	}
	for _, name := range worker.SessionIDs() {
		if v := strings.TrimSpace(c.Getenv(name)); v != "" {
			return v
		}
	}
	return ""
}

// AgentLoopCommand returns ralph agent-loop, ralph loop in the spelling of seed
// 000: the verb is a flag.
func (c *Commands) AgentLoopCommand() *cobra.Command {
	var f InitFlags
	var begin, check, status, abort, list, cleanup bool
	var reason string
	cmd := &cobra.Command{
		Use:    "agent-loop",
		Hidden: true,
		Short:  "ralph loop, with the verb as a flag",
		Example: `  ralph agent-loop --init --gate=coverage --threshold=80 --max=5 --loop-id=abc123
  ralph agent-loop --check --loop-id=abc123
  ralph agent-loop --abort --loop-id=abc123 --reason=manual`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := launch.NotEmpty(cmd, "loop-id", "parent"); err != nil {
				return err
			}
			ctx := cmd.Context()
			switch {
			case begin:
				return c.Init(ctx, f)
			case check && f.Parent != "":
				return c.CheckOrchestration(ctx, f.Parent)
			case check:
				return c.Check(ctx, f.ID)
			case status:
				return c.Status(ctx, f.ID)
			case abort:
				return c.Abort(ctx, f.ID, f.Parent, reason)
			case list:
				return c.List(ctx, f.Parent)
			}
			return c.cleanup(ctx, false)
		},
	}
	fl := cmd.Flags()
	f.bind(cmd)
	verbs := []string{"init", "check", "status", "abort", "list", "cleanup"}
	for i, verb := range []*bool{&begin, &check, &status, &abort, &list, &cleanup} {
		fl.BoolVar(verb, verbs[i], false, "as ralph loop "+verbs[i])
	}
	fl.StringVar(&reason, "reason", "", "`TEXT` that says why, for the record")
	cmd.MarkFlagsMutuallyExclusive(verbs...)
	cmd.MarkFlagsOneRequired(verbs...)
	return cmd
}
