package worker

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/text"
)

func (a *Commands) cleanCommand(f *flags) *cobra.Command {
	var o engine.CleanOptions
	var older string
	var failures bool
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Delete what this machine has of archived loops of the team",
		Long: `Delete what the worker of a repository has on this machine of loops and plans that are
archived: its copies of their records and files, and branches of its mirror whose work the
remote has. Workers may run meanwhile. The server, the remote and the shared files stay as
they are; ralph clean deletes branches of the remote.`,
		Example: `  ralph worker clean --repo git@host:team/shop.git --dry-run
  ralph worker clean --repo git@host:team/shop.git --older 7d --worktrees`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := a.named(*f); err != nil {
				return err
			}
			if o.OlderThan, err = runs.Age(older); err != nil {
				return exit.UsageError("--older 720h or --older 30d", "--older %q: %v", older, err)
			}
			return a.clean(cmd.Context(), f.repo, o, failures)
		},
	}
	cmd.Flags().StringVar(&older, "older", "30d", "archived runs that ended at least `DURATION` ago")
	cmd.Flags().BoolVar(&failures, "failures", false, "also branches whose work the remote does not have; asks (--yes)")
	cmd.Flags().BoolVar(&o.Worktrees, "worktrees", false, "also the pool's worktrees that no loop has")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only say what would be deleted")
	return cmd
}

func (a *Commands) clean(ctx context.Context, repo string, o engine.CleanOptions, failures bool) error {
	p, err := a.OpenMirror(ctx, repo)
	if err != nil {
		return err
	}
	defer p.Close()
	var lose func([]string) error
	if failures {
		lose = func(branches []string) error { return a.agreeToLose(ctx, branches) }
	}
	done, kept, err := p.Mirror().Clean(ctx, o, lose)
	if err == nil && o.Worktrees {
		var slots []string
		slots, err = p.Plans.CleanReviewSlots(ctx, a.TreeRoot(p), o.DryRun)
		for _, s := range slots {
			done.Removed = append(done.Removed, "reviewers' worktrees "+s)
		}
	}
	if e := runs.TellCleaned(a.Opener, runs.Cleaned{DryRun: o.DryRun, Removed: done.Removed, Kept: kept, Unkept: done.Unkept}); err == nil {
		err = e
	}
	if err == nil && !a.JSON && len(done.Removed)+len(kept)+len(done.Unkept) == 0 {
		a.Say("nothing to delete: no archived run that this machine had ended at least %s ago", o.OlderThan)
	}
	return err
}

// agreeToLose asks before branches are deleted that have the only copy of work.
func (a *Commands) agreeToLose(ctx context.Context, branches []string) error {
	yes, err := a.Confirm(ctx, fmt.Sprintf("delete the only copy of work that the remote does not have (%s)?", text.Few(branches, 5)))
	if err == nil && !yes {
		err = exit.UsageError("--dry-run lists what would be deleted", "nothing was deleted")
	}
	return err
}
