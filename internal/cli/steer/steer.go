package steer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/next"
)

func (a *Commands) PauseCommand() *cobra.Command {
	var now bool
	cmd := &cobra.Command{
		Use:     "pause [ID]",
		GroupID: command.GroupSteer,
		Short:   "Pause a loop after its present step",
		Example: "  ralph pause ID\n  ralph pause ID --now    # end the agent; its work is kept",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind := engine.Pause
			if now {
				kind = engine.PauseNow
			}
			return a.command(cmd.Context(), command.First(args), engine.Command{Kind: kind, By: a.Owner()}, "pausing")
		},
	}
	cmd.Flags().BoolVar(&now, "now", false, "do not wait for the end of the step")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) SteerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "steer ID \"TEXT\"",
		GroupID: command.GroupSteer,
		Short:   "Give guidance for the next attempts",
		Example: "  ralph steer ID \"the parser is in internal/parse, leave the lexer alone\"",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.steer(cmd.Context(), args)
		},
	}
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) steer(ctx context.Context, args []string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, text := split(ctx, p, args)
	if strings.TrimSpace(text) == "" {
		return exit.UsageError(next.Steer("ID", next.Blank), "the guidance is empty")
	}
	if err := ambiguous(ctx, p, args, next.Steer("ID", next.Blank)); err != nil {
		return err
	}
	r, err := runs.Find(ctx, a.Opener, p, id, runs.Wanted{Loops: true, There: func(id string) string { return next.Steer(id, next.Blank) }})
	if err != nil {
		return err
	}
	if err := r.Steerable(); err != nil {
		return err
	}
	err = a.send(ctx, r, engine.Command{Kind: engine.Steer, Text: text, By: a.Owner()}, "noted for the next attempt")
	if err != nil {
		return err
	}
	words, err := a.runner.Steered(ctx, p, r.Outcome().ID)
	if words != "" && !a.JSON {
		a.Say("%s", words)
	}
	return err
}

// split takes the last argument as the text and one before it as the id. A
// single one that is a whole id of a loop is one: an id is not an answer to a question.
func split(ctx context.Context, p *project.Project, args []string) (id, text string) {
	switch len(args) {
	case 0:
		return "", ""
	case 1:
		if id := named(ctx, p, args[0]); id != "" && id == args[0] {
			return id, ""
		}
		return "", args[0]
	}
	return args[0], args[1]
}

// named returns the run that a word names, in full or by its beginning; empty: none.
func named(ctx context.Context, p *project.Project, word string) string {
	for _, find := range []func(context.Context, string) (string, error){p.Loops.Find, p.Plans.Find} {
		if id, err := find(ctx, word); err == nil {
			return id
		}
	}
	return ""
}

// ambiguous refuses a single word that may be the name of a run or the text for one.
func ambiguous(ctx context.Context, p *project.Project, args []string, try string) error {
	if len(args) != 1 {
		return nil
	}
	if id := named(ctx, p, args[0]); id != "" {
		return exit.UsageError(try, "%q is the beginning of %s; give both, the name and the text", args[0], id)
	}
	return nil
}

// command sends a command and says that it was taken.
func (a *Commands) command(ctx context.Context, name string, c engine.Command, done string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{There: next.Pause})
	if err != nil {
		return err
	}
	return a.send(ctx, r, c, done)
}

func (a *Commands) send(ctx context.Context, r runs.Run, c engine.Command, done string) error {
	id := r.Outcome().ID
	err := r.Send(ctx, c)
	if errors.Is(err, engine.ErrEnded) {
		return fmt.Errorf("%s %s: %w", r.Kind(), id, err)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return r.Write(ctx)
	}
	a.Say("%s: %s", id, done)
	return nil
}
