package cli

import (
	"context"
	"fmt"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// continueDriven ends the pause of a loop that its agent drives, and says so.
func (a *app) continueDriven(ctx context.Context, p *project.Project, l engine.Loop, o engine.Options) error {
	if err := a.unpause(ctx, p, l, o); err != nil {
		return err
	}
	a.Say("%s: goes on when its agent checks it", l.State.ID)
	return nil
}

// unpause is all that can be resumed about a loop that its agent drives.
func (a *app) unpause(ctx context.Context, p *project.Project, l engine.Loop, o engine.Options) error {
	if l.State.Status != loop.Paused {
		return fmt.Errorf("%w: %s is %s", engine.ErrDriven, l.State.ID, project.Standing(l))
	}
	_, err := p.Engine.Send(ctx, l.State.ID, engine.Command{
		Kind: engine.Continue, By: a.Owner(), Max: p.Settings.MaxLoops(), Force: o.Force, PerParent: p.Settings.PerParent(),
	})
	return err
}
