package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/view"
)

func (a *app) loopAbortCommand() *cobra.Command {
	var reason, parent string
	cmd := &cobra.Command{
		Use:     "abort [ID]",
		Short:   "End an agent-driven loop without passing",
		Example: "  ralph loop abort --loop-id abc123 --reason \"not needed any more\"\n  ralph loop abort --parent orch-001",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.loopAbort(cmd.Context(), command.First(args), parent, reason)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the record")
	cmd.Flags().StringVar(&parent, "parent", "", "every agent-driven loop of the orchestration `ID`")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *app) loopAbort(ctx context.Context, name, parent, reason string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if parent != "" {
		return a.abortChildren(ctx, p, parent, reason)
	}
	l, err := a.drivenLoop(ctx, p, name)
	if err != nil {
		return err
	}
	if l, err = a.abortDriven(ctx, p, l.State.ID, reason); err != nil {
		return err
	}
	return a.tellDriven(l)
}

// abortDriven ends one loop, and answers it as it stands then.
func (a *app) abortDriven(ctx context.Context, p *project.Project, id, reason string) (engine.Loop, error) {
	_, err := p.Engine.Send(ctx, id, engine.Command{Kind: engine.Abort, Text: reason, By: a.Owner()})
	if err != nil {
		return engine.Loop{}, fmt.Errorf("abort %s: %w", id, err)
	}
	return p.Engine.Show(ctx, id)
}

// abortChildren ends the active loops of an orchestration. One that has ended
// meanwhile is as good.
func (a *app) abortChildren(ctx context.Context, p *project.Project, parent, reason string) error {
	all, err := a.children(ctx, p, parent)
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
		l, err := a.abortDriven(ctx, p, id, reason)
		if errors.Is(err, engine.ErrEnded) {
			l, err = p.Engine.Show(ctx, id)
		}
		if err != nil {
			return err
		}
		objects = append(objects, view.Driven(l.State, project.Facts(l)))
		if !a.JSON {
			a.Print(view.Stands(l.State, a.Now(), a.Palette(a.Out)))
		}
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.checks/v1", "loops": objects})
	}
	if len(objects) == 0 {
		a.Say("every loop of %s has ended", parent)
	}
	return nil
}
