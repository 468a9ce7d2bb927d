package repositories

import (
	"context"
	"sync"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/view"
)

// mostEnded is how many of the loops that have ended stand in a list of all.
const mostEnded = 20

// believed is how long what was read for the Inbox is used again while the store does not
// change: a plan's file is edited without it.
const believed = 10 * time.Second

// inbox is what the Inbox was built from last. All tabs ask for it after each change, and
// one of them reads.
type inbox struct {
	mu    sync.Mutex
	mark  string
	read  time.Time
	loops []view.Item
	plans []view.PlanItem
}

// Runs are those that have not ended, and the newest that have, without the loops of
// plans: a plan shows them.
func (r *Repository) Runs(ctx context.Context) ([]view.Run, error) {
	mark, err := r.Mark(ctx)
	if err != nil {
		return nil, err
	}
	now, in := r.Runner.Now(), &r.inbox
	in.mu.Lock()
	defer in.mu.Unlock()
	if age := now.Sub(in.read); in.read.IsZero() || in.mark != mark || age < 0 || age > believed {
		if in.loops, in.plans, err = r.present(ctx); err != nil {
			in.read = time.Time{}
			return nil, err
		}
		in.mark, in.read = mark, now
	}
	return runsOf(in.loops, in.plans, now), nil
}

// present reads what the Inbox shows.
func (r *Repository) present(ctx context.Context) ([]view.Item, []view.PlanItem, error) {
	p, err := r.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := r.soon(ctx)
	defer cancel()
	loops, err := engine.Overview(ctx, p.Loops.List, engine.Filter{Apart: true}, mostEnded)
	if err != nil {
		return nil, nil, err
	}
	plans, err := engine.Overview(ctx, p.Plans.List, engine.Filter{}, runs.MostPlans)
	if err != nil {
		return nil, nil, err
	}
	return r.items(ctx, p, loops, runs.Topmost(plans))
}

// Ended are the newest runs that have ended, archived ones too.
func (r *Repository) Ended(ctx context.Context, most int) ([]view.Run, int, error) {
	p, err := r.Open(ctx)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := r.soon(ctx)
	defer cancel()
	f := engine.Filter{Ended: true, Archived: true, Apart: true}
	total, err := p.Loops.Count(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	plans, err := p.Plans.List(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	f.Limit = most
	loops, err := p.Loops.List(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	items, whole, err := r.items(ctx, p, loops, plans[:min(len(plans), most)])
	return runsOf(items, whole, r.Runner.Now()), total + len(plans), err
}

// items are loops and plans with their facts.
func (r *Repository) items(ctx context.Context, p *project.Project, loops []engine.Loop, plans []engine.Plan) ([]view.Item, []view.PlanItem, error) {
	items, err := runs.Items(ctx, p, loops)
	if err != nil {
		return nil, nil, err
	}
	whole, err := runs.PlanItems(ctx, p, plans, runs.Listed)
	return items, whole, err
}

func runsOf(loops []view.Item, plans []view.PlanItem, now time.Time) []view.Run {
	out := make([]view.Run, 0, len(loops)+len(plans))
	for _, i := range loops {
		out = append(out, i.Run(now))
	}
	for _, i := range plans {
		out = append(out, i.Run(now))
	}
	return out
}
