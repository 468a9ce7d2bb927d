package runs

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
)

// ArchivedRuns counts the plans that are archived, and the loops besides those of plans.
func ArchivedRuns(ctx context.Context, p *project.Project) (n int, err error) {
	for _, c := range []struct {
		sign     int
		archived bool
	}{{1, true}, {-1, false}} {
		loops, err := p.Engine.Count(ctx, engine.Filter{Ended: true, Apart: true, Archived: c.archived})
		if err != nil {
			return 0, err
		}
		plans, err := p.Planner.Marks(ctx, engine.Filter{Archived: c.archived})
		if err != nil {
			return 0, err
		}
		n += c.sign * (loops + len(plans))
	}
	return max(n, 0), nil
}
