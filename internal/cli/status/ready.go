package status

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// completeReady reads the rest of the loops that passed and are not accepted yet: what accept
// asks about, missing evidence among it, is in the list, too.
func completeReady(ctx context.Context, p *project.Project, loops []engine.Loop) error {
	var at []int
	var ready []engine.Loop
	for i, l := range loops {
		if l.State.Status == loop.StatusPassed && l.State.Accepted == "" && !l.Archived {
			at, ready = append(at, i), append(ready, l)
		}
	}
	if len(ready) == 0 {
		return nil
	}
	if err := p.Loops.Complete(ctx, ready); err != nil {
		return err
	}
	for n, i := range at {
		loops[i] = ready[n]
	}
	return nil
}
