package runs

import (
	"context"
	"errors"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// Reading is which loops of a plan are read for what is shown of it. What the plan itself
// knows is the same with each; what only a loop knows is left out where it is not read.
type Reading int

const (
	// AtWork are the loops that its tasks are at, with their questions: for a row of a list.
	AtWork Reading = iota
	// Proving are also those that did the landed work, where it waits to be accepted: for a
	// plan that is shown alone, with what to look at before.
	Proving
	// Accepting are those of Proving, for accept: it fails where one of them cannot be read.
	Accepting
	// Listed are all loops, of a large plan those that run or whose task has failed: for lists
	// that show tasks.
	Listed
	// Whole are all loops with all of their attempts: for reports.
	Whole
)

// mostWhole is the size of a plan whose loops are all Listed.
const mostWhole = 100

// PlanItem returns a plan as every front end shows it, with the loops that are read.
func PlanItem(ctx context.Context, p *project.Project, l engine.Plan, reading Reading) (view.PlanItem, error) {
	i := view.PlanItem{State: l.State, Facts: planFacts(ctx, p, l)}
	if reading == Accepting || reading == Proving && l.State.Acceptable() {
		landed, err := landedLoops(ctx, p, l.State)
		if i.Facts.Landed = landed; reading == Accepting && err != nil {
			return i, err
		}
	}
	if reading < Listed {
		return i, nil
	}
	i.Whole = reading == Whole || len(l.State.Tasks) <= mostWhole
	loops, err := loopsOf(ctx, p, l, i.Whole, reading == Whole)
	if err == nil {
		i.Loops, err = Items(ctx, p, loops)
	}
	return i, err
}

// PlanItems are PlanItem of several plans.
func PlanItems(ctx context.Context, p *project.Project, plans []engine.Plan, reading Reading) ([]view.PlanItem, error) {
	out := make([]view.PlanItem, len(plans))
	for n, l := range plans {
		var err error
		if out[n], err = PlanItem(ctx, p, l, reading); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// loopsOf returns the loops of a plan, oldest first, or those of the tasks that run or have
// failed; history adds all of their attempts.
func loopsOf(ctx context.Context, p *project.Project, l engine.Plan, whole, history bool) ([]engine.Loop, error) {
	if whole {
		loops, err := p.Loops.List(ctx, engine.Filter{Parent: l.State.ID, Archived: true})
		if err == nil && history {
			err = p.Loops.Complete(ctx, loops)
		}
		return Reversed(loops), err
	}
	loops, err := p.Loops.List(ctx, engine.Filter{Parent: l.State.ID, Active: true})
	if err != nil {
		return nil, err
	}
	for _, t := range l.State.Tasks {
		if t.Status != plan.Failed || t.Loop == "" || l.State.Status.Terminal() {
			continue
		}
		failed, err := p.Loops.Show(ctx, t.Loop)
		if err != nil {
			return nil, err
		}
		loops = append(loops, failed)
	}
	return loops, nil
}

// landedLoops returns the loops that did the landed tasks of a plan, by their ids. The zero Item is
// one that was deleted.
func landedLoops(ctx context.Context, p *project.Project, s plan.State) (map[string]view.Item, error) {
	all := map[string]view.Item{}
	for _, loops := range s.LandedLoops() {
		for _, id := range loops {
			l, err := p.Loops.Show(ctx, id)
			switch {
			case errors.Is(err, engine.ErrNotFound):
				all[id] = view.Item{}
			case err == nil:
				all[id], err = LoopItem(ctx, p, l)
			}
			if err != nil && !errors.Is(err, engine.ErrNotFound) {
				return nil, err
			}
		}
	}
	return all, nil
}
