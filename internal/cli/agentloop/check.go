package agentloop

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/view"
)

func (c *Commands) checkCommand() *cobra.Command {
	var parent string
	cmd := &cobra.Command{
		Use:   "check [ID]",
		Short: "Run the gates in this tree; exit code 0 done, 2 keep iterating, 1 failed",
		Long: `Evaluate the loop's gates once, in the tree this is called from, and record the result.
A loop that has ended keeps its result. Codes of 64 and more mean that the gates could
not be evaluated.`,
		Example: `  ralph loop check --loop-id abc123
  ralph loop check --json
  ralph loop check --parent orch-001   # all gates on the whole, when all its loops have ended`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := launch.NotEmpty(cmd, "parent"); err != nil {
				return err
			}
			if parent != "" {
				return c.CheckOrchestration(cmd.Context(), parent)
			}
			return c.Check(cmd.Context(), command.First(args))
		},
	}
	cmd.Flags().StringVar(&parent, "parent", "", "check the orchestration `ID`: all configured gates, when its loops have ended")
	c.LoopIDFlag(cmd)
	return cmd
}

// Check is ralph loop check (seed 000).
func (c *Commands) Check(ctx context.Context, name string) error {
	p, err := c.locateFast(ctx)
	if err != nil {
		return err
	}
	p.Repo.ReadAhead(ctx)
	if err := c.Connect(ctx, p, false); err != nil {
		return err
	}
	defer p.Close()
	l, err := c.find(ctx, p, name)
	if err != nil {
		return err
	}
	if c.Getenv("RALPH_LOOP_ID") == l.State.ID {
		return exit.UsageError("leave the check out of the gate", "this runs inside of a gate of %s: it would wait for itself", l.State.ID)
	}
	if err := c.refuseOthers(l); err != nil {
		return err
	}
	return c.evaluate(ctx, p, l.State.ID, nil)
}

// evaluate runs the gates once, prints the result and returns its exit code. lost
// are parts of an orchestration that did not pass.
func (c *Commands) evaluate(ctx context.Context, p *project.Project, id string, lost []string) error {
	ctx, stop := c.UntilSignal(ctx)
	defer stop()
	l, err := p.Loops.Check(ctx, id, "")
	if err != nil {
		return err
	}
	if err := c.printChecked(l, lost); err != nil {
		return err
	}
	if !c.JSON {
		c.printNotes(p.Loops.Hints(ctx, id))
	}
	return exit.With(view.WholeExit(l.State, lost))
}

// printChecked prints the result of a check, with the parts of an orchestration
// that did not pass.
func (c *Commands) printChecked(l engine.Loop, lost []string) error {
	c.Reported(l)
	if c.JSON {
		o := view.Driven(l.State, project.Facts(l))
		o.Lost, o.ExitCode = append(o.Lost, lost...), view.WholeExit(l.State, lost)
		return c.Encode(o)
	}
	c.Print(view.CheckWhole(l.State, lost, c.Now(), c.Palette(c.Out)))
	return nil
}

// openFast opens the repository's store without running git, if the files in
// .git suffice: an agent waits for the answer.
func (c *Commands) openFast(ctx context.Context) (*project.Project, error) {
	p, err := c.locateFast(ctx)
	if err != nil {
		return nil, err
	}
	return p, c.Connect(ctx, p, false)
}

func (c *Commands) locateFast(ctx context.Context) (*project.Project, error) {
	repo, err := c.openRepository(ctx, c.Dir)
	if err != nil {
		return nil, err
	}
	p := project.At(git.Location{CommonDir: repo.CommonDir, MainRoot: repo.MainRoot})
	p.Repo = repo
	return p, nil
}

func (c *Commands) openRepository(ctx context.Context, dir string) (*git.Repo, error) {
	if c.Getenv("GIT_DIR") == "" {
		if repo, ok := git.FastOpen(dir, c.Env); ok {
			return repo, nil
		}
	}
	return git.OpenEnv(ctx, dir, c.Env)
}
