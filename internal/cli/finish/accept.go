package finish

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

func (a *Commands) AcceptCommand() *cobra.Command {
	var f acceptFlags
	cmd := &cobra.Command{
		Use:     "accept [ID]",
		GroupID: command.GroupFinish,
		Short:   "Merge the work of a passed loop or plan into the current branch",
		Long: `Merge the work of a passed loop or plan into the current branch: by a fast-forward where
that is possible. The hard gates run again on a merge before your branch moves. Files that you
have changed are never touched: where the work changes them too, it is refused, unless
they are still as --with-changes took them along. The boxes and statuses that ralph wrote
into a plan's file are committed with its work, and the branches that are merged are
deleted.

A plan of which tasks are left is asked about before what landed is merged, and so is work
that a person should look at first: it is unproved, changes files that
judge it, adds code that can steer a run of its tests, has lost its evidence, failed soft
gates, rewrote history, holds other repositories, was judged in the agent's tree or in a
copy without a sandbox, or passed flaky gates in quarantine. ralph show lists the same.`,
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
	cmd.Flags().StringSliceVar(&f.allow, "allow", nil, "accept without a question work that is one of `CODES`: "+strings.ReplaceAll(joined(loop.ConcernCodes()), ",", ", ")+"; --yes accepts all")
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
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{})
	if err != nil {
		return err
	}
	if l, ok := r.(*runs.Loop); ok && l.Now.State.Mode == loop.AgentDriven && l.Now.State.Status.Terminal() {
		return exit.UsageError(next.Archive(l.Now.State.ID), "loop %s has nothing to accept: its agent worked in your own tree", l.Now.State.ID)
	}
	if l, ok := r.(*runs.Loop); ok && l.Now.Archived {
		return archivedLoop(ctx, p, l.Now.State)
	}
	if err := a.unfinished(r); err != nil {
		return err
	}
	work, id := r.Work(), r.Outcome().ID
	options := engine.AcceptOptions{Commit: f.commit, Partly: work.Incomplete != "", Strategy: strategy, KeepBranches: f.keepBranches}
	if err := options.Holds(work.Commit); err != nil {
		return err
	}
	before := r.Accepted()
	if work.Incomplete != "" && before == "" {
		yes, err := a.Confirm(ctx, "the plan is not complete ("+work.Incomplete+"). Accept what landed? Each task of it passed its gates.")
		if err == nil && !yes {
			err = exit.UsageError(next.Show(id, "--diff"), "not accepted")
		}
		if err != nil {
			return err
		}
	}
	if before == "" {
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
	if err == nil && done.Stays != nil {
		a.Say("! the work is accepted, and a branch that held it stays: %v\n  later: ralph clean --branches", done.Stays)
	}
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Object(map[string]any{
			"schema": "ralph.accept/v1", "loop_id": id, "branch": done.Branch, "commit": done.Commit,
			"fast_forward": done.FastForward, "already": done.Already,
		})
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
	then, err := r.Merged(ctx, done)
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

// archivedLoop refuses a loop that was put away. What a task's loop did is accepted with
// its plan.
func archivedLoop(ctx context.Context, p *project.Project, s loop.State) error {
	if own, err := p.Planner.Show(ctx, s.Parent); s.InPlan() && err == nil && s.Accepted == "" {
		hint := next.Show(s.Parent)
		if own.State.Acceptable() {
			hint = next.Accept(s.Parent)
		}
		return exit.UsageError(hint, "loop %s is archived, and its work is accepted with its plan %s", s.ID, s.Parent)
	}
	if s.Accepted != "" {
		return exit.UsageError(next.Show(s.ID), "loop %s was accepted already, as %.7s, and is archived", s.ID, s.Accepted)
	}
	return exit.UsageError(next.Retry(s.ID), "loop %s is archived, and its work was not accepted", s.ID)
}

// unfinished refuses a run that stands still and has not ended, and says what it waits for.
// One whose record is damaged is refused by the engine.
func (a *Commands) unfinished(r runs.Run) error {
	switch o := r.Outcome(); {
	case o.Status.Terminal(), o.Reason == loop.Damaged:
		return nil
	case o.Status == loop.Running && r.Live():
		return &exit.Error{
			Code: exit.Busy, Err: fmt.Errorf("%s %s is running: nothing of it can be accepted yet", r.Kind(), o.ID),
			Hint: next.Wait(o.ID) + " waits for its end; " + next.Pause(o.ID) + " or " + next.Abort(o.ID) + " stops it",
		}
	}
	switch r := r.(type) {
	case *runs.Loop:
		l := project.View(r.Now, a.Now())
		return exit.UsageError(cmp.Or(l.Next, next.Follow(l.ID)), "loop %s has nothing to accept yet: it is %s; %s", l.ID, l.Status, l.Why)
	case *runs.Plan:
		then := cmp.Or(next.Plan(r.Now.State, next.PlanFacts{}), next.Status(r.Now.State.ID))
		return exit.UsageError(then+", or "+next.Abort(r.Now.State.ID)+" and accept what landed", "plan %s has nothing to accept yet: it is %s", r.Now.State.ID, r.Standing())
	}
	return nil
}

func strategyOf(name string) (engine.Strategy, error) {
	switch s := engine.Strategy(name); s {
	case engine.MergeWork, engine.SquashWork, engine.RebaseWork:
		return s, nil
	}
	return "", exit.UsageError("--strategy squash", "--strategy %q is not one of: merge, squash, rebase", name)
}

// agree asks before a merge of work that a person should look at first. Without a
// terminal it names all of that and refuses, unless --yes accepts it all or --allow
// the codes of it.
func (a *Commands) agree(ctx context.Context, p *project.Project, id string, w runs.Work, allowed []loop.ConcernCode) error {
	look := w.Look
	if w.Detailed != nil {
		var err error
		if look, err = w.Detailed(ctx); err != nil {
			return err
		}
	}
	if w.Evidence != nil {
		more, err := w.Evidence(ctx)
		if err != nil {
			return err
		}
		look = append(slices.Clone(look), more...)
	}
	if w.Commit != "" {
		changed, err := p.Repo.ChangedFiles(ctx, w.Base, w.Commit)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(changed, func(f git.Change) bool { return path.Base(f.Path) == config.FileName }) {
			look = append(look, loop.Concern{Code: loop.ConcernJudges, What: "the work changes ralph.yaml, which decides how later work is judged and held"})
		}
	}
	look = slices.DeleteFunc(slices.Clone(look), func(c loop.Concern) bool { return slices.Contains(allowed, c.Code) })
	if len(look) == 0 {
		return nil
	}
	var codes []loop.ConcernCode
	for _, c := range look {
		a.Say("look: %s", text.Clean(c.What))
		if !slices.Contains(codes, c.Code) {
			codes = append(codes, c.Code)
		}
	}
	names := joined(codes)
	if !a.Yes && !a.Asks() {
		return exit.UsageError(next.Show(id, "--diff")+"; then add --yes, or --allow "+names, "not accepted without a look at: %s", names)
	}
	yes, err := a.Confirm(ctx, "Accept the work although there is something to look at ("+names+")?")
	if err == nil && !yes {
		err = exit.UsageError(next.Show(id, "--diff"), "not accepted")
	}
	return err
}

func joined(codes []loop.ConcernCode) string {
	names := make([]string, len(codes))
	for i, c := range codes {
		names[i] = string(c)
	}
	return strings.Join(names, ",")
}

// allowedConcerns reads --allow.
func allowedConcerns(names []string) ([]loop.ConcernCode, error) {
	var out []loop.ConcernCode
	for _, name := range names {
		code := loop.ConcernCode(strings.TrimSpace(name))
		if !slices.Contains(loop.ConcernCodes(), code) {
			return nil, exit.UsageError("--allow "+string(loop.ConcernUnproved), "%q is not one of: %s", name, joined(loop.ConcernCodes()))
		}
		out = append(out, code)
	}
	return out, nil
}

// pickPassed returns the only plan or loop that passed and is not accepted. The
// work of a plan's loop is accepted with its plan.
func (a *Commands) pickPassed(ctx context.Context, p *project.Project) (string, error) {
	loops, err := p.Engine.List(ctx, engine.Filter{})
	if err != nil {
		return "", err
	}
	plans, err := p.Planner.List(ctx, engine.Filter{})
	if err != nil {
		return "", err
	}
	var passed []engine.Loop
	for _, l := range runs.Apart(loops, plans) {
		if l.State.Acceptable() {
			if tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+l.State.Branch); err == nil && tip != "" {
				passed = append(passed, l)
			}
		}
	}
	parts := slices.DeleteFunc(slices.Clone(plans), func(l engine.Plan) bool { return !l.State.Acceptable() })
	all := project.Candidates(passed, slices.DeleteFunc(plans, func(l engine.Plan) bool { return l.State.Status != loop.StatusPassed || !l.State.Acceptable() }))
	switch {
	case len(all) == 0 && len(parts) > 0:
		id := parts[0].State.ID
		return "", exit.UsageError(next.Accept(id), "nothing has passed; plan %s ended with a part of its work landed", id)
	case len(all) == 0:
		return "", exit.UsageError("ralph status", "nothing has passed and waits to be accepted")
	}
	return a.Choose(ctx, all)
}
