package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
)

func (a *app) archiveCommand() *cobra.Command {
	var done bool
	cmd := &cobra.Command{
		Use:     "archive [ID]",
		GroupID: command.GroupFinish,
		Short:   "Put an ended loop out of sight; show still finds it",
		Example: "  ralph archive ID\n  ralph archive --done    # all that ended",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.archive(cmd.Context(), command.First(args), done)
		},
	}
	cmd.Flags().BoolVar(&done, "done", false, "every loop that has ended")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *app) archive(ctx context.Context, name string, done bool) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if is, err := a.asPlan(ctx, p, name, func(id string) error { return a.archivePlan(ctx, p, id) }); is {
		return err
	}
	var ids []string
	if done {
		loops, err := p.Engine.List(ctx, engine.Filter{})
		if err != nil {
			return err
		}
		for _, l := range loops {
			if l.State.Status.Terminal() {
				ids = append(ids, l.State.ID)
			}
		}
	} else {
		l, err := a.pickOrNewest(ctx, p, name)
		if err != nil {
			return err
		}
		ids = []string{l.State.ID}
	}
	var archived []string
	for _, id := range ids {
		if waits, err := a.unaccepted(ctx, p, id); err != nil {
			return err
		} else if waits && done {
			a.Say("left %s: its work is not accepted yet", id)
			continue
		} else if waits {
			yes, err := a.Confirm(ctx, id+" has passed and is not accepted; an archived loop cannot be accepted. Archive it?")
			if err != nil || !yes {
				return err
			}
		}
		if err := p.Engine.Archive(ctx, id); err != nil {
			return fmt.Errorf("archive %s: %w", id, err)
		}
		archived = append(archived, id)
		a.Say("archived %s", id)
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.archive/v1", "archived": append([]string{}, archived...)})
	}
	return nil
}

// unaccepted: the loop passed and its branch still waits to be brought home.
func (a *app) unaccepted(ctx context.Context, p *project.Project, id string) (bool, error) {
	l, err := p.Engine.Show(ctx, id)
	if err != nil || l.State.Status != loop.StatusPassed || l.State.Commit == "" || l.Archived || l.State.Mode == loop.AgentDriven {
		return false, err
	}
	tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+l.State.Branch)
	return tip == l.State.Commit, err
}

func (a *app) cleanCommand() *cobra.Command {
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

func (a *app) clean(ctx context.Context, o engine.CleanOptions, older string) (err error) {
	if o.OlderThan, err = age(older); err != nil {
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

// age reads a duration; days are allowed here, since nobody counts old loops in
// hours.
func age(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		hours, err := time.ParseDuration(days + "h")
		return 24 * hours, err
	}
	return time.ParseDuration(text)
}
