package finish

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

func (a *Commands) ArchiveCommand() *cobra.Command {
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

func (a *Commands) archive(ctx context.Context, name string, done bool) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if is, err := a.AsPlan(ctx, p, name, func(id string) error { return a.archivePlan(ctx, p, id) }); is {
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
		l, err := a.PickOrNewest(ctx, p, name)
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
func (a *Commands) unaccepted(ctx context.Context, p *project.Project, id string) (bool, error) {
	l, err := p.Engine.Show(ctx, id)
	if err != nil || l.State.Status != loop.StatusPassed || l.State.Commit == "" || l.Archived || l.State.Mode == loop.AgentDriven {
		return false, err
	}
	tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+l.State.Branch)
	return tip == l.State.Commit, err
}
