package finish

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/next"
)

func (a *Commands) ArchiveCommand() *cobra.Command {
	var done bool
	cmd := &cobra.Command{
		Use:     "archive [ID]",
		GroupID: command.GroupFinish,
		Short:   "Hide an ended loop from lists; show still finds it",
		Example: "  ralph archive ID\n  ralph archive --done    # all that were accepted, or need no decision",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.archive(cmd.Context(), command.First(args), done)
		},
	}
	cmd.Flags().BoolVar(&done, "done", false, "every loop and plan that has ended and needs no decision of yours")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) archive(ctx context.Context, name string, done bool) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	all, err := a.toArchive(ctx, p, name, done)
	if err != nil {
		return err
	}
	archived := []string{}
	for _, r := range all {
		id := r.Outcome().ID
		if done && !a.Yes && undecided(r) {
			a.Say("left %s: it ended short of its goal; look at it, then %s (--yes archives all of these)", id, next.Archive(id))
			continue
		}
		if waits, err := r.Unaccepted(ctx); err != nil {
			return err
		} else if waits && done {
			a.Say("left %s: its work is not accepted yet", id)
			continue
		} else if waits {
			yes, err := a.Confirm(ctx, id+" holds work that is not accepted; "+map[string]string{"loop": "an archived loop cannot be accepted. ", "plan": ""}[r.Kind()]+"Archive it?")
			if err != nil || !yes {
				return err
			}
		}
		before := putAway(r)
		if err := r.Archive(ctx); err != nil {
			return fmt.Errorf("archive %s: %w", id, err)
		}
		archived = append(archived, id)
		if before && !a.JSON {
			a.Say("%s was archived already", id)
			continue
		}
		if r.Kind() == "loop" || !a.JSON {
			a.Say("archived %s", id)
		}
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.archive/v1", "archived": archived})
	}
	return nil
}

// putAway reports whether a run is archived.
func putAway(r runs.Run) bool {
	switch r := r.(type) {
	case *runs.Loop:
		return r.Now.Archived
	case *runs.Plan:
		return r.Now.Archived
	}
	return false
}

// undecided reports whether a run that has ended stands among those that need a person.
func undecided(r runs.Run) bool {
	switch r := r.(type) {
	case *runs.Loop:
		return r.Now.State.Undecided()
	case *runs.Plan:
		return r.Now.State.Undecided()
	}
	return false
}

// toArchive returns the run with a name, or every run that has ended, plans first.
func (a *Commands) toArchive(ctx context.Context, p *project.Project, name string, done bool) ([]runs.Run, error) {
	if name != "" || !done {
		r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{Ended: true})
		return []runs.Run{r}, err
	}
	plans, err := p.Plans.List(ctx, engine.Filter{Ended: true})
	if err != nil {
		return nil, err
	}
	var out []runs.Run
	for _, l := range plans {
		out = append(out, runs.OfPlan(a.Opener, p, l))
	}
	loops, err := p.Loops.List(ctx, engine.Filter{Ended: true, Apart: true})
	for _, l := range loops {
		out = append(out, runs.OfLoop(a.Opener, p, l))
	}
	return out, err
}
