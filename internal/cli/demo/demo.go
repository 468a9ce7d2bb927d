package demo

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
)

type demoFlags struct {
	speed      string
	keep       bool
	agent      string
	showScript bool
	plan       bool
	// with forces a variant of the project; the default is the first that works.
	with string
}

func (a *Commands) DemoCommand() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:     "demo",
		GroupID: command.GroupStart,
		Short:   "See it work on a throw-away repository, without any agent",
		Long: `See ralph work on a throw-away repository: the real engine, real git, real tests. The
agent is a script, so this needs no AI, no network and no money. One task passes after
a change of strategy; the other fails on purpose. Exit code 0: both ended as announced.

The repository is in a directory for temporary files, which the next demo deletes unless
--keep was given. Outside of it ralph writes what every run leaves in its state directory
(~/.local/state/ralph): pooled worktrees, the sandbox that was found, what was allowed. The
demo is not among your repositories in ralph web and ralph watch --all.`,
		Example: `  ralph demo                   # about 15 seconds, to read along
  ralph demo --speed fast      # the same without pauses
  ralph demo --plan            # a plan of three tasks: two at once, a question
  ralph demo --show-script     # what the scripted agent does
  ralph demo --agent claude    # the same tasks for a real agent; asks first`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.demo(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.speed, "speed", "", "go at `SPEED`: normal, with pauses to read, or fast (default: normal on a terminal)")
	fl.BoolVar(&f.keep, "keep", false, "let the next demo leave this one's directory alone")
	fl.StringVar(&f.agent, "agent", "", "let the real agent `NAME` do the tasks; this may cost money")
	fl.BoolVar(&f.showScript, "show-script", false, "print what the scripted agent does, and start nothing")
	fl.StringVar(&f.with, "with", "", "use `RUNNER` for the tests: python3, node or sh")
	_ = fl.MarkHidden("with")
	fl.BoolVar(&f.plan, "plan", false, "work through a plan of three tasks instead")
	cmd.MarkFlagsMutuallyExclusive("agent", "show-script", "plan")
	return cmd
}

func (a *Commands) demo(ctx context.Context, f demoFlags) error {
	paced, err := a.paced(f)
	if err != nil {
		return err
	}
	if f.showScript {
		return a.showScript(ctx, f)
	}
	d, err := a.stage(ctx, f, paced)
	if err != nil {
		return err
	}
	defer d.leave(f.keep)
	if f.plan {
		return d.demoPlan(ctx)
	}
	d.banner()
	if err := d.perform(ctx); err != nil {
		return err
	}
	return d.conclude(ctx)
}

// paced reports whether to go slowly: at a terminal, or on request.
func (a *Commands) paced(f demoFlags) (bool, error) {
	switch f.speed {
	case "":
		return a.IsTerminal(a.Err) && !a.Quiet, nil
	case "normal", "fast":
		return f.speed == "normal", nil
	}
	return false, exit.UsageError("--speed fast or --speed normal", "--speed %q is no speed", f.speed)
}
