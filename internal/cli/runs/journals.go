package runs

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// mostJournals is how many runs a report tells the history of, those that moved last: a
// night has fewer, and a repository may hold ten thousand runs.
const mostJournals = 200

// journals reads the events of the runs of a report. What cannot be read is left out: it
// explains, and decides nothing.
func journals(ctx context.Context, p *project.Project, items []view.Item, plans []view.PlanItem) (all []view.Journal, leftOut int) {
	for _, i := range items {
		all = append(all, view.Journal{Loop: i.State})
	}
	for _, i := range plans {
		all = append(all, view.Journal{Plan: &i.State})
		for _, l := range i.Loops {
			all = append(all, view.Journal{Loop: l.State})
		}
	}
	last := func(j view.Journal) time.Time {
		if j.Plan != nil {
			return j.Plan.LastAt
		}
		return j.Loop.LastAt
	}
	slices.SortStableFunc(all, func(a, b view.Journal) int { return cmp.Compare(last(b).UnixNano(), last(a).UnixNano()) })
	leftOut = max(0, len(all)-mostJournals)
	all = all[:len(all)-leftOut]
	for n := range all {
		j := &all[n]
		if j.Plan != nil {
			j.PlanEvents = eventsOf[plan.Event](ctx, p.Plans.Events, j.Plan.ID)
			continue
		}
		j.Events = eventsOf[loop.Event](ctx, p.Loops.Events, j.Loop.ID)
	}
	return all, leftOut
}

// eventsOf returns the events of a run, as far as they can be read.
func eventsOf[E journal.Event](ctx context.Context, page func(context.Context, string, int64) ([]engine.Event, error), id string) (all []E) {
	for r, err := range engine.Events(ctx, page, id, 0, engine.Newest) {
		if err != nil {
			break
		}
		if e, known := r.Decoded.(E); known {
			all = append(all, e)
		}
	}
	return all
}
