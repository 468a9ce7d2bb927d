package agentloop

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

func (c *Commands) statusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "status [ID]",
		Short:   "Show the status of a loop; runs nothing",
		Example: "  ralph loop status --loop-id abc123\n  ralph loop status abc123 --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.Status(cmd.Context(), command.First(args))
		},
	}
	c.LoopIDFlag(cmd)
	return cmd
}

// Status is ralph loop status. Its exit code is 0 for every status, as no gate
// was evaluated.
func (c *Commands) Status(ctx context.Context, name string) error {
	p, err := c.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	l, err := c.find(ctx, p, name)
	if err != nil {
		return err
	}
	if err := c.SettleDue(ctx, p, l); err != nil {
		return err
	}
	if c.JSON {
		return c.printLoop(l)
	}
	c.Notify(l)
	c.Print(view.Stands(l.State, c.Now(), c.Palette(c.Out)))
	return nil
}

// printLoop prints the status of an agent-driven loop.
func (c *Commands) printLoop(l engine.Loop) error {
	c.Notify(l)
	if c.JSON {
		return c.Encode(view.Driven(l.State, project.Facts(l)))
	}
	c.Print(view.Check(l.State, c.Now(), c.Palette(c.Out)))
	return nil
}

func (c *Commands) listCommand() *cobra.Command {
	var all bool
	var parent string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "The agent-driven loops of this repository",
		Example: "  ralph loop list\n  ralph loop list --parent orch-001 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.List(cmd.Context(), parent, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all that ended, archived ones too, not only the newest 50")
	cmd.Flags().StringVar(&parent, "parent", "", "only those of the orchestration `ID`")
	return cmd
}

// List is ralph loop list.
func (c *Commands) List(ctx context.Context, parent string, all bool) error {
	p, err := c.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	f := engine.Filter{Active: true, Mode: loop.AgentDriven, Parent: parent, History: c.JSON}
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
	if err := c.SettleDue(ctx, p, loops...); err != nil {
		return err
	}
	if c.JSON {
		list := make([]view.DrivenObject, len(loops))
		for i, l := range loops {
			list[i] = view.Driven(l.State, project.Facts(l))
		}
		return c.Object(map[string]any{"schema": "ralph.checks/v1", "loops": list})
	}
	items := make([]view.Item, len(loops))
	for i, l := range loops {
		items[i] = view.Item{State: l.State, Facts: project.Facts(l)}
	}
	look := c.Palette(c.Out)
	if !c.IsTerminal(c.Out) {
		look.Width = 1 << 12 // nothing is cut for a program
	}
	c.Print(view.DrivenList(items, c.Now(), look))
	return nil
}

// children returns the agent-driven loops of an orchestration, archived ones too.
func (c *Commands) children(ctx context.Context, p *project.Project, parent string) ([]engine.Loop, error) {
	return p.Engine.List(ctx, engine.Filter{Archived: true, Mode: loop.AgentDriven, Parent: parent, History: c.JSON})
}
