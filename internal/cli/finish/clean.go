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
	"ralph/internal/text"
)

func (a *Commands) CleanCommand() *cobra.Command {
	var o engine.CleanOptions
	var older string
	var b branchOptions
	cmd := &cobra.Command{
		Use:     "clean",
		GroupID: command.GroupFinish,
		Short:   "Delete archived loops' files; on request worktrees and branches that nothing needs",
		Example: `  ralph clean --dry-run
  ralph clean --older 0s                     # also what was archived just now
  ralph clean --older 30d --worktrees
  ralph clean --branches --failures --dry-run
  ralph clean --drop ID                      # its work, which is on no branch`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.clean(cmd.Context(), o, b, older)
		},
	}
	cmd.Flags().StringVar(&older, "older", "30d", "archived loops that ended at least `DURATION` ago")
	cmd.Flags().BoolVar(&o.Worktrees, "worktrees", false, "also the pool's worktrees that no loop has")
	cmd.Flags().BoolVar(&b.merged, "branches", false, "also branches of archived runs whose work another branch has; of a team those of the remote, of accepted runs too")
	cmd.Flags().BoolVar(&b.failures, "failures", false, "also wip/ralph-fail-… branches of archived loops, of a team ralph/… of the remote; asks where no other branch has their work (--yes)")
	cmd.Flags().StringVar(&o.Drop, "drop", "", "also the worktree of the ended loop `ID` with the only copy of its work")
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
	clean := a.cleanBranches
	if p.Team != nil {
		clean = a.cleanRemote
	}
	branches, kept, given, err := clean(ctx, p, o, b)
	if err != nil {
		return err
	}
	o.Given = given
	done, err := p.Loops.Clean(ctx, o)
	removed := append(branches, done.Removed...)
	local := p.Team == nil // else the worktrees here are those of the loops of this machine
	if err == nil && o.Worktrees && local {
		var slots []string
		slots, err = p.Plans.CleanReviewSlots(ctx, a.TreeRoot(p), o.DryRun)
		for _, s := range slots {
			removed = append(removed, "reviewers' worktrees "+s)
		}
	}
	if err == nil && o.Worktrees && local && !o.DryRun {
		err = git.Sweep(a.TreeRoot(p))
	}
	if err == nil {
		for _, dir := range a.SweepTemporary(ctx, o.DryRun) {
			removed = append(removed, "temporary folder "+dir)
		}
	}
	if e := runs.TellCleaned(a.Opener, runs.Cleaned{DryRun: o.DryRun, Removed: removed, Kept: kept, Unkept: done.Unkept}); err == nil {
		err = e
	}
	if a.JSON {
		return err
	}
	if err == nil && len(removed)+len(kept)+len(done.Unkept) == 0 {
		err = a.sayNothing(ctx, p, older)
	}
	if o.Worktrees && !local {
		a.Note("a team has worktrees on the machines of its workers: ralph worker clean --worktrees")
	}
	if err == nil && !o.Worktrees && local {
		a.sayPool(ctx, p, o, len(done.Removed))
	}
	return err
}

// sayPool names the pool's worktrees that no loop has: they are kept for the next ones. known
// are the files that a dry run lists too.
func (a *Commands) sayPool(ctx context.Context, p *project.Project, o engine.CleanOptions, known int) {
	if !o.DryRun {
		known = 0 // they are gone
	}
	o.Worktrees, o.DryRun = true, true
	all, err := p.Loops.Clean(ctx, o)
	if n := len(all.Removed) - known; err == nil && n > 0 {
		a.Say("kept %s of the pool, which the next loops use: ralph clean --worktrees deletes what no loop has", text.Plural(n, "worktree"))
	}
}

// sayNothing tells why nothing is deleted.
func (a *Commands) sayNothing(ctx context.Context, p *project.Project, older string) error {
	all, err := p.Loops.List(ctx, engine.Filter{Ended: true, Archived: true})
	if err != nil {
		return err
	}
	n := 0
	for _, l := range all {
		if l.Archived {
			n++
		}
	}
	if n == 0 {
		a.Say("nothing to delete: no loop is archived")
		return nil
	}
	a.Say("nothing to delete: of %s none ended more than %s ago; --older 0s takes all of them", text.Plural(n, "archived loop"), older)
	return nil
}

// cleanBranches deletes the branches that no run needs, or lists them. The line of one
// names its commit, with which git brings it back. given are these commits.
func (a *Commands) cleanBranches(ctx context.Context, p *project.Project, o engine.CleanOptions, b branchOptions) (removed, kept, given []string, err error) {
	if !b.merged && !b.failures {
		return nil, nil, nil, nil
	}
	all, err := p.Plans.SpareBranches(ctx, o.OlderThan)
	if err != nil {
		return nil, nil, nil, err
	}
	all = slices.DeleteFunc(all, func(s planner.Spare) bool { return s.Failure && !b.failures || !s.Failure && !b.merged })
	spare, needed, err := p.Plans.Divide(ctx, all)
	for _, n := range needed {
		kept = append(kept, branchLine(n.Spare)+": "+n.Why)
	}
	if err == nil && !o.DryRun {
		err = a.confirmLoss(ctx, p, spare)
	}
	if err != nil {
		return nil, kept, nil, err
	}
	for _, s := range spare {
		if !o.DryRun {
			if err := p.Repo.DeleteBranch(ctx, s.Name, s.Tip); err != nil {
				return removed, kept, given, err
			}
		}
		removed, given = append(removed, branchLine(s)), append(given, s.Tip)
	}
	return removed, kept, given, nil
}

func branchLine(s planner.Spare) string { return fmt.Sprintf("branch %s at %.10s", s.Name, s.Tip) }

// confirmLoss asks before branches are deleted that have the only copy of failed work.
func (a *Commands) confirmLoss(ctx context.Context, p *project.Project, spare []planner.Spare) error {
	var only []string
	for _, s := range spare {
		held, err := p.Plans.HeldByOthers(ctx, s, spare)
		if err != nil {
			return err
		}
		if !held {
			only = append(only, s.Name)
		}
	}
	return a.confirmOnly(ctx, only)
}

func (a *Commands) confirmOnly(ctx context.Context, only []string) error {
	if len(only) == 0 {
		return nil
	}
	yes, err := a.Confirm(ctx, fmt.Sprintf("delete the only copy of failed work (%s)?", text.Few(only, 5)))
	if err == nil && !yes {
		err = exit.UsageError("--dry-run lists what would be deleted", "nothing was deleted")
	}
	return err
}
