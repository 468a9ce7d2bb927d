package cli

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/view"
)

func (a *app) loopStatusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "status [ID]",
		Short:   "How a loop stands; runs nothing",
		Example: "  ralph loop status --loop-id abc123\n  ralph loop status abc123 --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.loopStatus(cmd.Context(), command.First(args))
		},
	}
	a.LoopIDFlag(cmd)
	return cmd
}

// loopStatus tells how a loop stands. Its exit code is 0 whatever that is, as
// nothing was asked of the gate.
func (a *app) loopStatus(ctx context.Context, name string) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	l, err := a.drivenLoop(ctx, p, name)
	if err != nil {
		return err
	}
	if err := a.SettleDue(ctx, p, l); err != nil {
		return err
	}
	if a.JSON {
		return a.tellDriven(l)
	}
	a.Notify(l)
	a.Print(view.Stands(l.State, a.Now(), a.Palette(a.Out)))
	return nil
}

// tellDriven prints how an agent-driven loop stands.
func (a *app) tellDriven(l engine.Loop) error {
	a.Notify(l)
	if a.JSON {
		return a.Encode(view.Driven(l.State, project.Facts(l)))
	}
	a.Print(view.Check(l.State, a.Now(), a.Palette(a.Out)))
	return nil
}
