package runs

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
)

// MostReported are the newest loops that have ended in a report that names none: as many as
// a person reads, and a page of a store with thousands of them stays small.
const (
	MostReported      = 100
	mostReportedPlans = 20
)

// Reported are the runs of a report: its plans, and the loops that belong to none, oldest
// first. As many More ended earlier.
type Reported struct {
	Loops []engine.Loop
	Plans []engine.Plan
	More  int
}

// Newest are the runs that have not ended, and of those that have the newest, most of
// them, and as many again that wait for a person.
func Newest(ctx context.Context, p *project.Project, most int) (r Reported, err error) {
	open, err := p.Engine.List(ctx, engine.Filter{Active: true, Apart: true, History: true})
	if err != nil {
		return r, err
	}
	f := engine.Filter{Ended: true, Apart: true, History: true, Limit: most}
	ended, err := p.Engine.List(ctx, f)
	if err != nil {
		return r, err
	}
	full := len(ended) == most
	if ended, err = WithUnsettled(ctx, p, ended, f); err != nil {
		return r, err
	}
	if full {
		n, err := p.Engine.Count(ctx, f)
		if err != nil {
			return r, err
		}
		r.More = max(n-len(ended), 0)
	}
	r.Loops = Reversed(append(open, ended...))
	if r.Plans, err = p.Planner.List(ctx, engine.Filter{Recent: mostReportedPlans, Unsettled: true}); err != nil || len(r.Plans) < mostReportedPlans {
		return r, err
	}
	all, err := p.Planner.Marks(ctx, engine.Filter{})
	r.More += max(len(all)-len(r.Plans), 0)
	return r, err
}
