package runs

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
)

// ArchivedRuns counts the runs that a person started and that are archived.
func ArchivedRuns(ctx context.Context, p *project.Project) (n int, err error) {
	for _, count := range []func(context.Context, engine.Filter) (int, error){p.Loops.Count, p.Plans.Count} {
		shown, err := count(ctx, engine.Filter{Ended: true, Apart: true})
		if err != nil {
			return 0, err
		}
		all, err := count(ctx, engine.Filter{Ended: true, Apart: true, Archived: true})
		if err != nil {
			return 0, err
		}
		n += max(all-shown, 0)
	}
	return n, nil
}
