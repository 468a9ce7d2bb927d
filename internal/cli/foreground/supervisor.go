package foreground

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/recovery"
)

// Supervisor returns a supervisor of the project's loops for this command.
func (a *Runner) Supervisor(p *project.Project) *local.Supervisor {
	s := &local.Supervisor{Engine: p.Local, By: a.Owner(), Tracker: recovery.Tracker{Policy: p.Settings.RecoveryPolicy()}, Tell: func(local.Did) {}}
	s.Start = func(ctx context.Context, act recovery.Action) error {
		words := []string{"--rescue"}
		if act.Verb == recovery.TakeOver {
			words = append(words, "--take-over")
		}
		err := a.ResumeInBackground(ctx, p, act.ID, words...)
		if f, ok := errors.AsType[*exit.Error](err); ok && f.Code == exit.Busy {
			err = fmt.Errorf("%w: %w", engine.ErrNotNow, err)
		}
		return err
	}
	return s
}
