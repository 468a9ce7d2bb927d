package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func (a *app) loopCleanupCommand() *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:     "cleanup",
		Short:   "Archive the agent-driven loops that have ended",
		Example: "  ralph loop cleanup --dry-run\n  ralph loop cleanup",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.loopCleanup(cmd.Context(), dry)
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say which")
	return cmd
}

func (a *app) loopCleanup(ctx context.Context, dry bool) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Engine.Settle(ctx); err != nil {
		return err
	}
	loops, err := p.Engine.List(ctx, engine.Filter{Ended: true, Mode: loop.AgentDriven})
	if err != nil {
		return err
	}
	archived := []string{}
	for _, l := range loops {
		if !dry {
			if err := p.Engine.Archive(ctx, l.State.ID); err != nil {
				return fmt.Errorf("archive %s: %w", l.State.ID, err)
			}
		}
		archived = append(archived, l.State.ID)
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.archive/v1", "archived": archived, "dry_run": dry})
	}
	for _, id := range archived {
		a.Say("%s %s", map[bool]string{true: "would archive", false: "archived"}[dry], id)
	}
	if len(archived) == 0 {
		a.Say("nothing to clean up")
	}
	return nil
}
