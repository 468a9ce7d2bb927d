package finish

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/git"
)

func (a *Commands) CleanCommand() *cobra.Command {
	var o engine.CleanOptions
	var older string
	var b branchOptions
	cmd := &cobra.Command{
		Use:     "clean",
		GroupID: command.GroupFinish,
		Short:   "Delete archived loops' files, and worktrees and branches that nothing needs",
		Example: "  ralph clean --dry-run\n  ralph clean --older 720h --worktrees\n  ralph clean --branches --failures --dry-run",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.clean(cmd.Context(), o, b, older)
		},
	}
	cmd.Flags().StringVar(&older, "older", "720h", "archived loops that ended at least `DURATION` ago")
	cmd.Flags().BoolVar(&o.Worktrees, "worktrees", false, "also the pool's worktrees that no loop has")
	cmd.Flags().BoolVar(&b.merged, "branches", false, "also branches of archived runs whose work another branch has")
	cmd.Flags().BoolVar(&b.failures, "failures", false, "also wip/ralph-fail-… branches of archived loops; their work is nowhere else")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only say what would be deleted")
	return cmd
}

// branchOptions are the branches to delete.
type branchOptions struct{ merged, failures bool }

func (a *Commands) clean(ctx context.Context, o engine.CleanOptions, b branchOptions, older string) (err error) {
	if o.OlderThan, err = runs.Age(older); err != nil {
		return exit.UsageError("--older 720h or --older 30d", "--older %q: %v", older, err)
	}
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	// Branches first: what is removed cannot claim them any more.
	branches, kept, err := a.cleanBranches(ctx, p, o, b)
	if err != nil {
		return err
	}
	removed, err := p.Engine.Clean(ctx, o)
	removed = append(branches, removed...)
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
		if e := a.Object(map[string]any{"schema": "ralph.clean/v1", "dry_run": o.DryRun, "removed": append([]string{}, removed...), "kept": append([]string{}, kept...)}); err == nil {
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
	for _, k := range kept {
		a.Say("kept %s", k)
	}
	if len(removed)+len(kept) == 0 {
		a.Say("nothing to delete")
	}
	return err
}

// cleanBranches deletes the branches that no run needs, or lists them. The line of one
// names its commit, with which git brings it back.
func (a *Commands) cleanBranches(ctx context.Context, p *project.Project, o engine.CleanOptions, b branchOptions) (removed, kept []string, err error) {
	if !b.merged && !b.failures {
		return nil, nil, nil
	}
	all, err := p.Planner.SpareBranches(ctx, o.OlderThan)
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(s planner.Spare) bool { return s.Failure && !b.failures || !s.Failure && !b.merged })
	for _, s := range all {
		line := fmt.Sprintf("branch %s at %.10s", s.Name, s.Tip)
		why, err := p.Planner.Needed(ctx, s, all)
		if err == nil && why == "" && !o.DryRun {
			err = p.Repo.DeleteBranch(ctx, s.Name, s.Tip)
		}
		switch {
		case err != nil:
			return removed, kept, err
		case why != "":
			kept = append(kept, line+": "+why)
		default:
			removed = append(removed, line)
		}
	}
	return removed, kept, nil
}
