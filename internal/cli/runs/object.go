package runs

import (
	"context"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// WriteLoop writes the ralph.loop/v1 object of a loop.
func WriteLoop(ctx context.Context, a *project.Opener, p *project.Project, id string) error {
	l, err := p.Loops.Show(ctx, id)
	if err != nil {
		return err
	}
	items, err := Items(ctx, p, []engine.Loop{l})
	if err != nil {
		return err
	}
	return a.Encode(view.LoopOf(items[0], a.Now()).Object())
}

// WriteList writes the ralph.status/v1 object of some loops and plans.
func WriteList(ctx context.Context, a *project.Opener, p *project.Project, loops []string, plans ...string) error {
	items := make([]view.Item, len(loops))
	for i, id := range loops {
		l, err := p.Loops.Show(ctx, id)
		if err != nil {
			return err
		}
		items[i] = project.Item(l)
	}
	var ofPlans []view.PlanItem
	for _, id := range plans {
		l, err := p.Plans.Show(ctx, id)
		if err != nil {
			return err
		}
		ofPlans = append(ofPlans, PlanItem(ctx, p, l))
	}
	return a.Encode(view.ListOf(items, ofPlans, a.Now()))
}

// WritePlan writes the ralph.planrun/v1 object of a plan.
func WritePlan(ctx context.Context, a *project.Opener, p *project.Project, l engine.Plan) error {
	return a.Encode(view.PlanOf(ShownPlan(ctx, p, l), a.Now()).Object)
}

// MostPlans are shown of those that have ended.
const MostPlans = 3

// mostWhole is the size of a plan whose loops are all read for a list; of a
// larger one those that run, ask or have failed are.
const mostWhole = 100

// PlanItems are plans as lists and reports show them, each with its loops.
func PlanItems(ctx context.Context, p *project.Project, plans []engine.Plan, whole bool) ([]view.PlanItem, error) {
	out := make([]view.PlanItem, len(plans))
	for i, l := range plans {
		out[i] = PlanItem(ctx, p, l)
		out[i].Whole = whole || len(l.State.Tasks) <= mostWhole
		loops, err := loopsOf(ctx, p, l, out[i].Whole, whole)
		if err != nil {
			return nil, err
		}
		if out[i].Loops, err = Items(ctx, p, loops); err != nil {
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

func Reversed(loops []engine.Loop) []engine.Loop {
	out := make([]engine.Loop, 0, len(loops))
	for _, l := range slices.Backward(loops) {
		out = append(out, l)
	}
	return out
}

// Items are loops as lists show them, each with the active loops that declare
// the same files.
func Items(ctx context.Context, p *project.Project, loops []engine.Loop) ([]view.Item, error) {
	items := make([]view.Item, len(loops))
	var active []loop.State
	for i, l := range loops {
		items[i] = project.Item(l)
		items[i].Facts.Budgets = p.BudgetsOf(ctx, l.State.ID)
		if len(l.State.Task.Scope) == 0 || l.State.Status.Terminal() {
			continue
		}
		if active == nil {
			all, err := p.Loops.List(ctx, engine.Filter{Active: true})
			if err != nil {
				return nil, err
			}
			active = project.States(all)
		}
		items[i].Facts.Overlaps = view.OverlapsOf(l.State, active)
	}
	return items, nil
}
