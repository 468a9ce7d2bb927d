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
// them, and those that wait for a person.
func Newest(ctx context.Context, p *project.Project, most int) (r Reported, err error) {
	f := engine.Filter{Apart: true}
	loops, err := engine.Overview(ctx, p.Loops.List, f, most)
	if err == nil {
		err = p.Loops.Complete(ctx, loops)
	}
	if err != nil {
		return r, err
	}
	r.Loops = Reversed(loops)
	if r.Plans, err = engine.Overview(ctx, p.Plans.List, engine.Filter{}, mostReportedPlans); err != nil {
		return r, err
	}
	more, err := engine.Unlisted(ctx, p.Loops.Count, f, most, r.Loops)
	if err != nil {
		return r, err
	}
	r.More, err = engine.Unlisted(ctx, p.Plans.Count, engine.Filter{}, mostReportedPlans, r.Plans)
	r.More += more
	return r, err
}
