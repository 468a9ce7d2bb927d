package finish

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/git"
)

func (a *Commands) CleanCommand() *cobra.Command {
	var o engine.CleanOptions
	var older string
	cmd := &cobra.Command{
		Use:     "clean",
		GroupID: command.GroupFinish,
		Short:   "Delete archived loops' files and spare worktrees",
		Example: "  ralph clean --dry-run\n  ralph clean --older 720h --worktrees",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.clean(cmd.Context(), o, older)
		},
	}
	cmd.Flags().StringVar(&older, "older", "720h", "archived loops that ended at least `DURATION` ago")
	cmd.Flags().BoolVar(&o.Worktrees, "worktrees", false, "also the pool's worktrees that no loop has")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only say what would be deleted")
	return cmd
}

func (a *Commands) clean(ctx context.Context, o engine.CleanOptions, older string) (err error) {
	if o.OlderThan, err = runs.Age(older); err != nil {
		return exit.UsageError("--older 720h or --older 30d", "--older %q: %v", older, err)
	}
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	removed, err := p.Engine.Clean(ctx, o)
	if err == nil && o.Worktrees {
		var seats []string
		seats, err = p.Planner.CleanReviewSlots(ctx, a.TreeRoot(p), o.DryRun)
		for _, s := range seats {
			removed = append(removed, "reviewers' worktrees "+s)
		}
	}
	if err == nil && o.Worktrees && !o.DryRun {
		err = git.Sweep(a.TreeRoot(p))
	}
	if a.JSON {
		if e := a.Object(map[string]any{"schema": "ralph.clean/v1", "dry_run": o.DryRun, "removed": append([]string{}, removed...)}); err == nil {
			err = e
		}
		return err
	}
	verb := "deleted"
	if o.DryRun {
		verb = "would delete"
	}
	for _, r := range removed {
		a.Say("%s %s", verb, r)
	}
	if len(removed) == 0 {
		a.Say("nothing to delete")
	}
	return err
}
