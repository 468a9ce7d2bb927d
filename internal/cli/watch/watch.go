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
	cmd := &cobra.Command{
		Use:     "watch [ID]",
		GroupID: command.GroupWatch,
		Short:   "All loops live on a terminal: look, answer, pause, accept, retry, start",
		Example: `  ralph watch         # what needs you, what runs, what waits, what ended
  ralph watch ID      # one loop
  (q leaves; the loops keep running. ? shows the keys)`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.watch(cmd.Context(), command.First(args))
		},
	}
	a.LoopIDFlag(cmd)
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
		r, err := a.Find(ctx, p, name, runs.Wanted{})
		if err != nil {
			return err
		}
		name = r.Outcome().ID
	}
	c := &client{Loops: p.Engine, from: a, place: p}
	defer c.close()
	err = tui.Run(ctx, tui.Options{
		Engine: c, Plans: c.plans, Answer: c.answer, Resume: c.resume, Command: a.command, Project: p.Title(), Open: name, By: a.Owner(), Palette: a.Palette(out),
		In: in, Out: out, Env: a.Env, Now: a.Now,
	})
	switch {
	case errors.Is(err, tui.ErrInterrupted):
		return exit.With(exit.Interrupted)
	case errors.Is(err, tui.ErrTerminated):
		return exit.With(exit.Terminated)
	case err != nil:
		return err
	}
	a.sayRunning(ctx, p)
	return nil
}

// sayRunning reminds a user who leaves that leaving stopped nothing.
func (a *Commands) sayRunning(ctx context.Context, p *project.Project) {
	marks, err := p.Engine.Marks(ctx, engine.Filter{Active: true})
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
	return a.In.(*os.File), a.Out.(*os.File), nil
}
