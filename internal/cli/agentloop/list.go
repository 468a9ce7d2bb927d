package agentloop

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
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
	if err := c.RecordDue(ctx, p, l); err != nil {
		return err
	}
	if c.JSON {
		return c.printLoop(l)
	}
	c.Reported(l)
	c.Print(view.Stands(l.State, c.Now(), c.Palette(c.Out)))
	return nil
}

// printLoop prints the status of an agent-driven loop.
func (c *Commands) printLoop(l engine.Loop) error {
	c.Reported(l)
	if c.JSON {
		return c.Encode(view.Driven(l.State, project.Facts(l)))
	}
	c.Print(view.Check(l.State, c.Now(), c.Palette(c.Out)))
	return nil
}

func (c *Commands) listCommand() *cobra.Command {
	var w listed
	cmd := &cobra.Command{
		Use:   "list",
		Short: "The agent-driven loops of this repository",
		Example: `  ralph loop list
  ralph loop list --parent orch-001 --json
  ralph loop list --all --limit 0   # every loop, archived ones too`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if w.most < 0 {
				return exit.UsageError("--limit 200", "--limit %d: use 0 or more", w.most)
			}
			return c.list(cmd.Context(), w)
		},
	}
	cmd.Flags().BoolVar(&w.all, "all", false, "archived loops too")
	cmd.Flags().IntVar(&w.most, "limit", project.MostEnded, "at most `N` loops that have ended; 0 is no limit")
	cmd.Flags().StringVar(&w.parent, "parent", "", "only those of the orchestration `ID`")
	return cmd
}

// listed are the loops of a list: all that have not ended, and the newest that have.
type listed struct {
	parent string
	all    bool
	most   int
}

// List is ralph loop list.
func (c *Commands) List(ctx context.Context, parent string) error {
	return c.list(ctx, listed{parent: parent, most: project.MostEnded})
}

func (c *Commands) list(ctx context.Context, w listed) error {
	p, err := c.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	f := engine.Filter{Active: true, Mode: loop.AgentDriven, Parent: w.parent}
	loops, err := p.Loops.List(ctx, f)
	if err != nil {
		return err
	}
	f.Active, f.Ended, f.Archived, f.Limit = false, true, w.all, w.most
	over, err := p.Loops.List(ctx, f)
	if err != nil {
		return err
	}
	more := 0
	if w.most > 0 && len(over) == w.most {
		if more, err = p.Loops.Count(ctx, f); err != nil {
			return err
		}
		more = max(more-len(over), 0)
	}
	loops = append(loops, over...)
	if c.JSON {
		if err := p.Loops.Complete(ctx, loops); err != nil {
			return err
		}
	}
	if err := c.RecordDue(ctx, p, loops...); err != nil {
		return err
	}
	if c.JSON {
		list := make([]view.DrivenObject, len(loops))
		for i, l := range loops {
			list[i] = view.Driven(l.State, project.Facts(l))
		}
		return c.Object(map[string]any{"schema": "ralph.checks/v1", "loops": list, "more": more})
	}
	items := make([]view.Item, len(loops))
	for i, l := range loops {
		items[i] = project.Item(l)
	}
	look := c.Palette(c.Out)
	if !c.IsTerminal(c.Out) {
		look.Width = 1 << 12 // nothing is cut for a program
	}
	c.Print(view.DrivenList(items, c.Now(), look))
	if more > 0 {
		c.Print(fmt.Sprintf("and %d more that ended before: %s", more, next.ListDriven(w.all)))
	}
	return nil
}

// children returns the agent-driven loops of an orchestration, archived ones too.
func (c *Commands) children(ctx context.Context, p *project.Project, parent string) ([]engine.Loop, error) {
	all, err := p.Loops.List(ctx, engine.Filter{Archived: true, Mode: loop.AgentDriven, Parent: parent})
	if err == nil && c.JSON {
		err = p.Loops.Complete(ctx, all)
	}
	return all, err
}
