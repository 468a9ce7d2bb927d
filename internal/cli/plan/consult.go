package plan

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
)

// agentFlags name an agent to ask about a plan.
type agentFlags struct{ name, cmd string }

func (f *agentFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "agent", "", "ask this agent: a `NAME` from ralph.yaml, or a known program")
	cmd.Flags().StringVar(&f.cmd, "agent-cmd", "", "ask any `COMMAND` that reads a prompt on standard input")
	cmd.MarkFlagsMutuallyExclusive("agent", "agent-cmd")
}

func (f agentFlags) given() bool { return f.name+f.cmd != "" }

// consulting holds an agent as reviewers are held, at the commit of HEAD, and tells
// how. What the repository's settings run is allowed first.
func (a *Commands) consulting(ctx context.Context, p *project.Project, agents []loop.Agent, d loop.Deadline) (planner.Consulting, error) {
	none := planner.Consulting{}
	if err := a.Allow(ctx, p); err != nil {
		return none, err
	}
	head, err := p.Repo.Head(ctx)
	if err != nil {
		return none, err
	}
	set := p.Settings.Settings
	held := loop.Spec{
		Project: p.Name(), Root: p.TreeOrHome(), Base: head.Commit, Agent: agents[0], Limits: p.Settings.Limits(),
		Sandbox: loop.Sandbox(set.Sandbox), SandboxWrite: set.Writable, SandboxAsked: p.Settings.WritableAsked(), SandboxHide: p.Settings.Hidden(),
	}
	return planner.Consulting{Held: held, Agents: agents, Timeout: d}, nil
}

// named is the agent of the flags, else the first that is configured or installed.
func (a *Commands) named(p *project.Project, f agentFlags) ([]loop.Agent, error) {
	one, err := launch.Named(a.Opener, p, launch.Flags{Agent: f.name, AgentCmd: f.cmd})
	return []loop.Agent{one}, err
}
