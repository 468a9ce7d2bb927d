package cli

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/git"
	"ralph/internal/view"
)

func (a *app) loopCheckCommand() *cobra.Command {
	var parent string
	cmd := &cobra.Command{
		Use:   "check [ID]",
		Short: "Evaluate the gate in this tree; exit code 0 done, 2 keep iterating, 1 failed",
		Long: `Evaluate the loop's gates once, in the tree this is called from, and record the result.
A loop that has ended gives the same answer for ever. Codes of 64 and more mean that the
question could not be answered.`,
		Example: `  ralph loop check --loop-id abc123
  ralph loop check --json
  ralph loop check --parent orch-001   # final verification, when all its loops have ended`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if parent != "" {
				return a.verifyParent(cmd.Context(), parent)
			}
			return a.loopCheck(cmd.Context(), command.First(args))
		},
	}
	cmd.Flags().StringVar(&parent, "parent", "", "verify the orchestration `ID`: all configured gates, when its loops have ended")
	a.LoopIDFlag(cmd)
	return cmd
}

// loopCheck is seed 000's --check.
func (a *app) loopCheck(ctx context.Context, name string) error {
	p, err := a.openForCheck(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	l, err := a.drivenLoop(ctx, p, name)
	if err != nil {
		return err
	}
	if a.Getenv("RALPH_LOOP_ID") == l.State.ID {
		return exit.UsageError("leave the check out of the gate", "this runs inside of a gate of %s: it would wait for itself", l.State.ID)
	}
	return a.check(ctx, p, l.State.ID, nil)
}

// check evaluates, tells, and ends with the code of the answer. lost are parts
// of an orchestration that did not pass.
func (a *app) check(ctx context.Context, p *project.Project, id string, lost []string) error {
	ctx, stop := a.UntilSignal(ctx)
	defer stop()
	l, err := p.Engine.Check(ctx, id, "")
	if err != nil {
		return err
	}
	if err := a.tellChecked(l, lost); err != nil {
		return err
	}
	if !a.JSON {
		a.printNotes(p.Engine.Hints(ctx, id))
	}
	return exit.With(view.CheckExit(l.State))
}

// openForCheck opens the memory of the repository without asking git, where
// its files tell enough: an agent waits for the answer.
func (a *app) openForCheck(ctx context.Context) (*project.Project, error) {
	p, err := a.locateFast(ctx)
	if err != nil {
		return nil, err
	}
	return p, a.Connect(ctx, p, false)
}

func (a *app) locateFast(ctx context.Context) (*project.Project, error) {
	repo, err := a.glance(ctx, a.Dir)
	if err != nil {
		return nil, err
	}
	p := project.At(git.Location{CommonDir: repo.CommonDir, MainRoot: repo.MainRoot})
	p.Repo = repo
	return p, nil
}

func (a *app) glance(ctx context.Context, dir string) (*git.Repo, error) {
	if a.Getenv("GIT_DIR") == "" {
		if repo, ok := git.FastOpen(dir, a.Env); ok {
			return repo, nil
		}
	}
	return git.OpenEnv(ctx, dir, a.Env)
}
