package finish

import (
	"context"
	"fmt"
	"slices"

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
		Use:     "archive [ID...]",
		GroupID: command.GroupFinish,
		Short:   "Hide ended loops from lists; show still finds them",
		Example: "  ralph archive ID\n  ralph archive ID ID\n  ralph archive --done    # all that were accepted, or need no decision",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.archive(cmd.Context(), args, done)
		},
	}
	cmd.Flags().BoolVar(&done, "done", false, "every loop and plan that has ended and needs no decision of yours")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) archive(ctx context.Context, names []string, done bool) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	all, err := a.toArchive(ctx, p, names, done)
	if err != nil {
		return err
	}
	archived := []string{}
	for _, r := range all {
		id := r.Outcome().ID
		if slices.Contains(archived, id) {
			continue // named twice
		}
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
			if err != nil {
				return err
			}
			if !yes {
				continue
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

// toArchive returns the named runs, or every run that has ended, plans first.
func (a *Commands) toArchive(ctx context.Context, p *project.Project, names []string, done bool) ([]runs.Run, error) {
	if len(names) > 0 || !done {
		return a.named(ctx, p, names)
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

// named returns the runs with these names, all of them or none; without a name the one
// that Find takes.
func (a *Commands) named(ctx context.Context, p *project.Project, names []string) (all []runs.Run, err error) {
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{Ended: true})
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
