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
	"ralph/internal/text"
)

func (a *Commands) AcceptCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "accept [ID]",
		GroupID: command.GroupFinish,
		Short:   "Bring a passed loop's commits to the branch you are on",
		Long: `Bring a passed loop's commits to the branch you are on: by a fast-forward, else by a
merge. The hard gates run again on a merge before your branch moves. Files that you
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
	if is, err := a.AsPlan(ctx, p, name, func(id string) error { return a.acceptPlan(ctx, p, id) }); is {
		return err
	}
	l, err := a.Pick(ctx, p, name)
	if err != nil {
		return err
	}
	if err := a.agreeToJudges(ctx, p, change{l.State.ID, l.State.Base, l.State.Commit}, judges(l.State)); err != nil {
		return err
	}
	done, err := p.Engine.Accept(ctx, l.State.ID, engine.AcceptOptions{})
	for _, r := range done.Results {
		a.Say("  %s %s: %s", r.Gate, r.Verdict, r.Reason)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(map[string]any{
			"schema": "ralph.accept/v1", "loop_id": l.State.ID, "branch": done.Branch, "commit": done.Commit,
			"fast_forward": done.FastForward, "already": done.Already,
		})
	}
	switch how := "merged; its gates passed again on the result"; {
	case done.Already:
		a.Say("%s: %s holds this work already", l.State.ID, done.Branch)
	default:
		if done.FastForward {
			how = "fast-forward to the commit that was proved"
		}
		a.Say("%s: %s is at %.10s (%s)\n  next: %s", l.State.ID, done.Branch, done.Commit, how, next.Archive(l.State.ID))
	}
	return nil
}

// change is work that is about to come home.
type change struct{ id, base, commit string }

// agreeToJudges asks before a commit comes home that changes what judged it, or
// what will judge and hold later work: the gates passed with those files as they
// were on the base.
func (a *Commands) agreeToJudges(ctx context.Context, p *project.Project, c change, files []string) error {
	var changed []git.Change
	var err error
	if c.commit != "" {
		if changed, err = p.Repo.ChangedFiles(ctx, c.base, c.commit); err != nil {
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
		err = exit.UsageError(next.Show(c.id, "--diff"), "not accepted")
	}
	return err
}

// judges are the files that were put back for the gates of the last attempt.
func judges(s loop.State) []string {
	var files []string
	if l := s.Last(); l != nil {
		for _, r := range l.Results {
			files = append(files, r.Restored...)
		}
	}
	return files
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
		if l.State.Status == loop.StatusPassed && l.State.Reason == loop.Green && l.State.Accepted == "" && l.State.Mode != loop.AgentDriven {
			if tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+l.State.Branch); err == nil && tip != "" {
				passed = append(passed, l)
			}
		}
	}
	all := project.Candidates(passed, slices.DeleteFunc(plans, func(l engine.Plan) bool {
		return l.State.Status != loop.StatusPassed || l.State.Accepted != "" || l.State.Tip == l.State.Base
	}))
	if len(all) == 0 {
		return "", exit.UsageError("ralph status", "nothing has passed and waits to be accepted")
	}
	return a.Choose(ctx, all)
}
