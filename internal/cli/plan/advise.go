package plan

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/advise"
	"ralph/internal/cli/command"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// advisedBy is how many of the newest loops the advice looks at.
const advisedBy = 500

func (a *Commands) AdviseCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "advise [PLAN]",
		GroupID: command.GroupRun,
		Short:   "One loop, several, or groups? Computed from the plan and from what ran here",
		Long: `Recommend one loop, several at once, or groups of them, with the reasons, every number, and where it comes from: the plan's graph, the
loops that ran in this repository, or published numbers. Without PLAN it is
about one more loop now. Nothing is started.`,
		Example: `  ralph advise prd.json       # how many loops for this plan
  ralph advise docs/plan.md --json
  ralph advise                # one more loop now?`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.advise(cmd.Context(), command.First(args), len(args) == 1)
		},
	}
}

func (a *Commands) advise(ctx context.Context, file string, planned bool) error {
	q := advise.Question{}
	if planned {
		f, err := launch.ReadPlan(a.Opener, file)
		if err != nil {
			return err
		}
		q.Plan, q.File, q.Format = &f.Plan, file, string(f.Format)
	}
	if err := a.askHistory(ctx, &q); err != nil {
		return err
	}
	answer, err := advise.Advise(q)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Encode(answer)
	}
	a.Print(a.Palette(a.Out).Out(advise.Text(answer)))
	return nil
}

// askHistory adds what this repository knows.
func (a *Commands) askHistory(ctx context.Context, q *advise.Question) error {
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	if err := a.Configure(p); err != nil {
		return err
	}
	q.Max = p.Settings.MaxLoops()
	if err := a.Connect(ctx, p, true); err != nil {
		return err
	}
	defer p.Close()
	past, err := p.Loops.List(ctx, engine.Filter{Archived: true, Limit: advisedBy})
	if err == nil {
		err = p.Loops.Complete(ctx, past)
	}
	if err != nil {
		return err
	}
	q.Cut = len(past) == advisedBy
	for _, l := range past {
		q.Past = append(q.Past, loop.Whole{State: l.State, Attempts: l.History})
	}
	active, err := p.Loops.List(ctx, engine.Filter{Active: true})
	q.Active = project.States(project.Holding(active))
	return err
}
