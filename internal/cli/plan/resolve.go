package plan

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/text"
)

func (a *Commands) resolveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "resolve PLAN [TEXT]",
		Short: "Mark a gap or an edge case as resolved",
		Example: `  ralph plan resolve plan.md "API error handling not defined"
  ralph plan resolve plan.md         # lists what is open`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.resolve(cmd.Context(), args)
		},
	}
}

func (a *Commands) resolve(ctx context.Context, args []string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, _, err := runs.Names{Plans: p.Plans.Find}.Resolve(ctx, a.Opener, args[0])
	if err != nil {
		return err
	}
	if len(args) == 1 {
		l, err := p.Plans.Show(ctx, id)
		if err != nil {
			return err
		}
		if a.JSON {
			return runs.WritePlan(ctx, a.Opener, p, l)
		}
		for _, f := range l.State.Open() {
			a.Print(fmt.Sprintf("%s: %s", f.Kind, text.Clean(f.Text)))
		}
		return nil
	}
	s, err := p.Plans.Send(ctx, id, engine.Command{Kind: engine.Resolve, Text: args[1], By: a.Owner()})
	if err != nil {
		return err
	}
	if a.JSON {
		l, err := p.Plans.Show(ctx, id)
		if err != nil {
			return err
		}
		return runs.WritePlan(ctx, a.Opener, p, l)
	}
	a.Say("resolved: %s", text.Clean(args[1]))
	if s.Review != nil && s.Review.Again {
		a.Say("nothing is open any more; the whole is reviewed again by: %s", next.Run(args[0]))
	}
	return nil
}
