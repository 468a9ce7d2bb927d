package runs

import (
	"context"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// Unpause is all that can be resumed about a loop that its agent drives.
func Unpause(ctx context.Context, a *project.Opener, p *project.Project, l engine.Loop, o engine.Options) error {
	if l.State.Status.Terminal() {
		return exit.UsageError(next.Archive(l.State.ID), "loop %s has ended (%s); its agent drove it", l.State.ID, project.StatusText(l))
	}
	if l.State.Status != loop.Paused {
		return fmt.Errorf("%w: %s is %s", engine.ErrDriven, l.State.ID, project.StatusText(l))
	}
	_, err := p.Loops.Send(ctx, l.State.ID, engine.Command{
		Kind: engine.Unpause, By: a.Owner(), Max: p.Settings.MaxLoops(), Force: o.Force, PerParent: p.Settings.PerParent(),
	})
	return err
}
