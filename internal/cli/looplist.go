package cli

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

func (a *app) loopListCommand() *cobra.Command {
	var all bool
	var parent string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "The agent-driven loops of this repository",
		Example: "  ralph loop list\n  ralph loop list --parent orch-001 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.loopList(cmd.Context(), parent, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all that ended, archived ones too, not only the newest 50")
	cmd.Flags().StringVar(&parent, "parent", "", "only those of the orchestration `ID`")
	return cmd
}

func (a *app) loopList(ctx context.Context, parent string, all bool) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	f := engine.Filter{Active: true, Mode: loop.AgentDriven, Parent: parent}
	loops, err := p.Engine.List(ctx, f)
	if err != nil {
		return err
	}
	f.Active, f.Ended, f.Archived = false, true, all
	if f.Limit = project.MostEnded; all {
		f.Limit = 0
	}
	over, err := p.Engine.List(ctx, f)
	if err != nil {
		return err
	}
	loops = append(loops, over...)
	if err := a.SettleDue(ctx, p, loops...); err != nil {
		return err
	}
	if a.JSON {
		list := make([]view.DrivenObject, len(loops))
		for i, l := range loops {
			list[i] = view.Driven(l.State, project.Facts(l))
		}
		return a.Object(map[string]any{"schema": "ralph.checks/v1", "loops": list})
	}
	items := make([]view.Item, len(loops))
	for i, l := range loops {
		items[i] = view.Item{State: l.State, Facts: project.Facts(l)}
	}
	look := a.Palette(a.Out)
	if !a.IsTerminal(a.Out) {
		look.Width = 1 << 12 // nothing is cut for a program
	}
	a.Print(view.DrivenList(items, a.Now(), look))
	return nil
}

// children are the agent-driven loops of an orchestration, archived ones too.
func (a *app) children(ctx context.Context, p *project.Project, parent string) ([]engine.Loop, error) {
	return p.Engine.List(ctx, engine.Filter{Archived: true, Mode: loop.AgentDriven, Parent: parent})
}
