package watch

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/tui"
)

func (a *Commands) WatchCommand() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:     "watch [ID]",
		GroupID: command.GroupWatch,
		Short:   "All loops live on a terminal: look, answer, pause, accept, retry, start",
		Example: `  ralph watch         # what needs you, what runs, what waits, what ended
  ralph watch ID      # one loop
  ralph watch --all   # the runs of all your repositories
  (q leaves; the loops keep running. ? shows the keys)`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if all && len(args) > 0 {
				return exit.UsageError("ralph watch --all, or ralph -C REPOSITORY watch ID", "--all shows all runs, and %s is one", args[0])
			}
			if all {
				return a.watchAll(cmd.Context())
			}
			return a.watch(cmd.Context(), command.First(args))
		},
	}
	a.LoopIDFlag(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "the runs of all repositories in which you ran loops, and of this one")
	return cmd
}

// watch shows the screen. It only looks, until a person wants something of a
// loop: then the store is opened for writing.
func (a *Commands) watch(ctx context.Context, name string) error {
	in, out, err := a.screenful()
	if err != nil {
		return err
	}
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	if name != "" {
		r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{})
		if err != nil {
			return err
		}
		name = r.Outcome().ID
	}
	c := &client{Loops: p.Loops, from: a, place: p}
	defer c.close()
	o := a.screen(c, out)
	o.Open, o.In = name, in
	if err := ended(tui.Run(ctx, o)); err != nil {
		return err
	}
	a.sayRunning(ctx, p)
	return nil
}

// screen is the screen of the repository of a client.
func (a *Commands) screen(c *client, out *os.File) tui.Options {
	return tui.Options{
		Engine: c, Plans: c.plans, Answer: c.answer, Resume: c.resume, Command: a.command, Project: c.place.Title(), By: a.Owner(), Palette: a.Palette(out),
		Out: out, Env: a.Env, Now: a.Now, FullDisk: func() string { return a.FullDisk(c.place) },
	}
}

// ended gives the ends of a screen that are no errors their exit codes.
func ended(err error) error {
	switch {
	case errors.Is(err, tui.ErrInterrupted):
		return exit.With(exit.Interrupted)
	case errors.Is(err, tui.ErrTerminated):
		return exit.With(exit.Terminated)
	}
	return err
}

// sayRunning reminds a user who leaves that leaving stopped nothing.
func (a *Commands) sayRunning(ctx context.Context, p *project.Project) {
	marks, err := p.Loops.Marks(ctx, engine.Filter{Active: true})
	marks = slices.DeleteFunc(marks, func(m engine.Mark) bool { return !m.Live })
	switch n := len(marks); {
	case err != nil || n == 0:
	case n == 1:
		a.Say("%s keeps running; ralph watch shows it again", marks[0].ID)
	default:
		a.Say("%d loops keep running; ralph watch shows them again", n)
	}
}

// screenful is the terminal that watch needs.
func (a *Commands) screenful() (in, out *os.File, err error) {
	hint := "ralph status shows the loops once, " + next.Follow("ID") + " follows one; both have --json"
	if a.JSON {
		return nil, nil, exit.UsageError(hint, "watch is for people and has no --json")
	}
	if !a.IsTerminal(a.In) || !a.IsTerminal(a.Out) {
		return nil, nil, exit.UsageError(hint, "watch needs a terminal for input and output")
	}
	return a.In.(*os.File), command.File(a.Out), nil
}
