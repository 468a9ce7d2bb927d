package agentloop

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

func (c *Commands) abortCommand() *cobra.Command {
	var reason, parent string
	cmd := &cobra.Command{
		Use:     "abort [ID]",
		Short:   "End an agent-driven loop without passing",
		Example: "  ralph loop abort --loop-id abc123 --reason \"not needed any more\"\n  ralph loop abort --parent orch-001",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.Abort(cmd.Context(), command.First(args), parent, reason)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT` that says why, for the record")
	cmd.Flags().StringVar(&parent, "parent", "", "every agent-driven loop of the orchestration `ID`")
	c.LoopIDFlag(cmd)
	return cmd
}

// Abort is ralph loop abort.
func (c *Commands) Abort(ctx context.Context, name, parent, reason string) error {
	p, err := c.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if parent != "" {
		return c.abortChildren(ctx, p, parent, reason)
	}
	l, err := c.find(ctx, p, name)
	if err != nil {
		return err
	}
	if l, err = c.abortLoop(ctx, p, l.State.ID, reason); err != nil {
		return err
	}
	return c.printLoop(l)
}

// abortLoop ends one loop and returns it.
func (c *Commands) abortLoop(ctx context.Context, p *project.Project, id, reason string) (engine.Loop, error) {
	_, err := p.Loops.Send(ctx, id, engine.Command{Kind: engine.Abort, Text: reason, By: c.Owner()})
	if err != nil {
		return engine.Loop{}, fmt.Errorf("abort %s: %w", id, err)
	}
	return p.Loops.Show(ctx, id)
}

// abortChildren ends the active loops of an orchestration. One that has ended
// meanwhile is as good.
func (c *Commands) abortChildren(ctx context.Context, p *project.Project, parent, reason string) error {
	all, err := c.children(ctx, p, parent)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return exit.UsageError("ralph loop list", "no loop has the parent %q", parent)
	}
	objects := []view.DrivenObject{}
	for _, l := range all {
		if l.State.Status.Terminal() {
			continue
		}
		id := l.State.ID
		l, err := c.abortLoop(ctx, p, id, reason)
		if errors.Is(err, engine.ErrEnded) {
			l, err = p.Loops.Show(ctx, id)
		}
		if err != nil {
			return err
		}
		objects = append(objects, view.Driven(l.State, project.Facts(l)))
		if !c.JSON {
			c.Print(view.Stands(l.State, c.Now(), c.Palette(c.Out)))
		}
	}
	if c.JSON {
		return c.Object(map[string]any{"schema": "ralph.checks/v1", "loops": objects})
	}
	if len(objects) == 0 {
		c.Say("every loop of %s has ended", parent)
	}
	return nil
}

func (c *Commands) cleanupCommand() *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:     "cleanup",
		Short:   "Archive the agent-driven loops that have ended",
		Long:    "Archive the agent-driven loops that have ended. The agent of a loop archives those that it\nbegan.",
		Example: "  ralph loop cleanup --dry-run\n  ralph loop cleanup",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.cleanup(cmd.Context(), dry)
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say which")
	return cmd
}

func (c *Commands) cleanup(ctx context.Context, dry bool) error {
	p, err := c.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Loops.RecordDue(ctx); err != nil {
		return err
	}
	loops, err := p.Loops.List(ctx, engine.Filter{Ended: true, Mode: loop.AgentDriven})
	if err != nil {
		return err
	}
	archived, inside := []string{}, c.Getenv("RALPH_LOOP_ID")
	for _, l := range loops {
		if inside != "" && l.State.Inside != inside {
			continue // the agent of a loop did not begin it
		}
		if !dry {
			if err := p.Loops.Archive(ctx, l.State.ID); err != nil {
				return fmt.Errorf("archive %s: %w", l.State.ID, err)
			}
		}
		archived = append(archived, l.State.ID)
	}
	if c.JSON {
		return c.Object(map[string]any{"schema": "ralph.archive/v1", "archived": archived, "dry_run": dry})
	}
	for _, id := range archived {
		c.Say("%s %s", map[bool]string{true: "would archive", false: "archived"}[dry], id)
	}
	if len(archived) == 0 {
		c.Say("nothing to clean up")
	}
	return nil
}
