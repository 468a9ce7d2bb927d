package finish

import (
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
	"ralph/internal/plan"
	"ralph/internal/text"
)

func (a *Commands) AcceptCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "accept [ID]",
		GroupID: command.GroupFinish,
		Short:   "Merge the work of a passed loop or plan into the current branch",
		Long: `Merge the work of a passed loop or plan into the current branch: by a fast-forward where
that is possible. The hard gates run again on a merge before your branch moves. Files that you
have changed are never touched: where the work changes them too, it is refused, unless
they are still as --with-changes took them along.`,
		Example: "  ralph accept ID\n  ralph show ID --diff   # look first",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.accept(cmd.Context(), command.First(args))
		},
	}
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) accept(ctx context.Context, name string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if name == "" {
		if name, err = a.pickPassed(ctx, p); err != nil {
			return err
		}
	}
	r, err := a.Find(ctx, p, name, runs.Wanted{})
	if err != nil {
		return err
	}
	if l, ok := r.(*runs.Loop); ok && l.Now.State.Mode == loop.AgentDriven && l.Now.State.Status.Terminal() {
		return exit.UsageError(next.Archive(l.Now.State.ID), "loop %s has nothing to accept: its agent worked in your own tree", l.Now.State.ID)
	}
	work, id := r.Work(), r.Outcome().ID
	if work.Incomplete != "" {
		yes, err := a.Confirm(ctx, "the plan is not complete ("+work.Incomplete+"). Accept what landed? Each task of it passed its gates.")
		if err != nil || !yes {
			return err
		}
	}
	if err := a.agreeToJudges(ctx, p, id, work); err != nil {
		return err
	}
	missing, err := work.Missing(ctx)
	if err != nil {
		return err
	}
	for _, m := range missing {
		a.Say("look: %s", m)
	}
	done, err := r.Accept(ctx, engine.AcceptOptions{Partly: work.Incomplete != ""})
	for _, r := range done.Results {
		a.Say("  %s %s: %s", r.Gate, r.Verdict, r.Reason)
	}
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Object(map[string]any{
			"schema": "ralph.accept/v1", "loop_id": id, "branch": done.Branch, "commit": done.Commit,
			"fast_forward": done.FastForward, "already": done.Already,
		})
	case done.Already:
		a.Say("%s: %s holds this work already", id, done.Branch)
		return nil
	}
	then, err := r.Merged(ctx, done)
	a.Say("%s: %s is at %.10s%s", id, done.Branch, done.Commit, then)
	return err
}

// agreeToJudges asks before a merge of work that changes the files that judged it,
// or that will judge and sandbox later work: the gates passed with those files as
// they were on the base.
func (a *Commands) agreeToJudges(ctx context.Context, p *project.Project, id string, w runs.Work) error {
	files := w.Judges
	var changed []git.Change
	var err error
	if w.Commit != "" {
		if changed, err = p.Repo.ChangedFiles(ctx, w.Base, w.Commit); err != nil {
			return err
		}
	}
	for _, f := range changed {
		if path.Base(f.Path) == config.FileName {
			files = append(files, f.Path)
		}
	}
	if len(files) == 0 {
		return nil
	}
	slices.Sort(files)
	question := fmt.Sprintf("the work changes files that judge it (%s); the gates passed with these as they were on the base. Accept the changes to them too?",
		text.Clean(strings.Join(slices.Compact(files), ", ")))
	yes, err := a.Confirm(ctx, question)
	if err == nil && !yes {
		err = exit.UsageError(next.Show(id, "--diff"), "not accepted")
	}
	return err
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
		if acceptable(l.State) {
			if tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+l.State.Branch); err == nil && tip != "" {
				passed = append(passed, l)
			}
		}
	}
	all := project.Candidates(passed, slices.DeleteFunc(plans, func(l engine.Plan) bool { return !acceptablePlan(l.State) }))
	if len(all) == 0 {
		return "", exit.UsageError("ralph status", "nothing has passed and waits to be accepted")
	}
	return a.Choose(ctx, all)
}

// acceptable reports whether a loop has work that accept may pick without a name.
// The work of an agent-driven loop is in the user's own tree already.
func acceptable(s loop.State) bool {
	return s.Status == loop.StatusPassed && s.Reason == loop.Green && s.Accepted == "" && s.Mode != loop.AgentDriven
}

// acceptablePlan reports the same for a plan: something of it has landed.
func acceptablePlan(s plan.State) bool {
	return s.Status == loop.StatusPassed && s.Accepted == "" && s.Tip != s.Base
}
