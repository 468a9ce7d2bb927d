package finish

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

func (a *Commands) AcceptCommand() *cobra.Command {
	var f acceptFlags
	cmd := &cobra.Command{
		Use:     "accept [ID]",
		GroupID: command.GroupFinish,
		Short:   "Merge the work of a passed loop or plan into the current branch",
		Long: `Merge the work of a passed loop or plan into the current branch, by a fast-forward if
possible. On a merge, the hard gates run again before your branch moves. Files that you
have changed are never touched: if the work changes them too, it is not merged, unless
they are still as --with-changes took them over. The boxes and statuses that ralph wrote
into a plan's file are committed with its work, and the merged branches are deleted.

If a person should look at the work first, accept asks before it merges. ralph show lists
the reasons: tasks of the plan are left, or the work is unproved, changes files that judge
it, adds a secret or code that can steer a run of its tests, has lost evidence, failed soft
gates, or was judged in a weaker way than usual. --allow CODE agrees to one of them.`,
		Example: "  ralph accept ID\n  ralph show ID --diff   # look first\n  ralph accept ID --allow unproved,judges\n  ralph accept ID --strategy squash",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.accept(cmd.Context(), command.First(args), f)
		},
	}
	a.LoopIDFlag(cmd)
	cmd.Flags().StringVar(&f.strategy, "strategy", "", "how the work enters the branch: `NAME` is merge, squash or rebase (accept.strategy)")
	cmd.Flags().StringVar(&f.commit, "commit", "", "accept only `COMMIT`, at least 7 letters of it: fail if the work is another one by now")
	cmd.Flags().BoolVar(&f.keepBranches, "keep-branches", false, "do not delete the branches that are merged")
	cmd.Flags().StringSliceVar(&f.allow, "allow", nil, "do not ask about these `CODES`: "+strings.ReplaceAll(joined(loop.ConcernCodes()), ",", ", ")+"; --yes accepts all")
	return cmd
}

// acceptFlags are the flags of accept.
type acceptFlags struct {
	allow        []string
	strategy     string
	commit       string
	keepBranches bool
}

func (a *Commands) accept(ctx context.Context, name string, f acceptFlags) error {
	allowed, err := allowedConcerns(f.allow)
	if err != nil {
		return err
	}
	if f.commit != "" && len(f.commit) < 7 {
		return exit.UsageError("--commit COMMIT", "--commit %q is too short to name one commit", f.commit)
	}
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	strategy, err := strategyOf(cmp.Or(f.strategy, string(p.Settings.Settings.Accept.Strategy)))
	if err != nil {
		return err
	}
	if name == "" {
		if name, err = a.pickPassed(ctx, p); err != nil {
			return err
		}
	}
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{There: next.Accept})
	if err != nil {
		return err
	}
	if err := a.acceptable(ctx, p, r); err != nil {
		return err
	}
	work, id := r.Offer(), r.Outcome().ID
	options := engine.AcceptOptions{Commit: f.commit, Partly: work.Partial, Strategy: strategy, KeepBranches: f.keepBranches}
	if err := options.Holds(work.Commit); err != nil {
		return err
	}
	before := r.Accepted()
	if before == "" {
		if err := a.sayCarried(ctx, p, r); err != nil {
			return err
		}
		if err := a.agree(ctx, p, id, work, allowed); err != nil {
			return err
		}
	}
	missing, err := work.Missing(ctx)
	if err != nil {
		return err
	}
	for _, m := range missing {
		a.Say("look: %s", m)
	}
	done, err := r.Accept(ctx, options)
	for _, r := range done.Results {
		a.Say("  %s %s: %s", r.Gate, r.Verdict, r.Reason)
	}
	if err != nil {
		return err
	}
	return a.sayAccepted(ctx, r, done, before)
}

// sayAccepted reports the merge. before is the commit as which the work was accepted earlier;
// "" is none.
func (a *Commands) sayAccepted(ctx context.Context, r runs.Run, done engine.Accepted, before string) error {
	if done.Stays != nil {
		a.Say("! the work is accepted, and a branch that held it stays: %v\n  later: ralph clean --branches", done.Stays)
	}
	id := r.Outcome().ID
	switch {
	case a.JSON:
		o := map[string]any{
			"schema": "ralph.accept/v1", "loop_id": id, "branch": done.Branch, "commit": done.Commit,
			"fast_forward": done.FastForward, "already": done.Already,
		}
		if r.Kind() == "plan" { // loop_id is what earlier versions call it
			o["plan_id"] = id
		}
		return a.Object(o)
	case done.Already && before != "":
		a.Say("%s was accepted already, as %.7s: %s holds the work\n  next: %s", id, before, done.Branch, afterwards(r))
		return nil
	case done.Already:
		left := ""
		if pl, ok := r.(*runs.Plan); ok {
			left = pl.LeftModified(ctx)
		}
		a.Say("%s: %s holds this work already%s", id, done.Branch, left)
		return nil
	}
	then, err := r.AfterMerge(ctx, done)
	a.Say("%s: %s is at %.10s%s", id, done.Branch, done.Commit, then)
	return err
}

// afterwards is the command for a run whose work is accepted: the rest of a plan is tried
// again, anything else is put away.
func afterwards(r runs.Run) string {
	if p, ok := r.(*runs.Plan); ok {
		switch again := next.Again(p.Now.State, p.Now.Archived); {
		case again != "":
			return again
		case p.Now.Archived:
			return next.Show(p.Now.State.ID)
		}
	}
	return next.Archive(r.Outcome().ID)
}

func strategyOf(name string) (engine.Strategy, error) {
	switch s := engine.Strategy(name); s {
	case engine.MergeWork, engine.SquashWork, engine.RebaseWork:
		return s, nil
	}
	return "", exit.UsageError("--strategy squash", "--strategy %q is not one of: merge, squash, rebase", name)
}
