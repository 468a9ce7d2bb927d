package cli

import (
	"context"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// mostPlans are shown of those that have ended.
const mostPlans = 3

// mostWhole is the size of a plan whose loops are all read for a list; of a
// larger one those that run, ask or have failed are.
const mostWhole = 100

// plansToShow are those that go on, and the newest that have ended.
func (a *app) plansToShow(ctx context.Context, p *project.Project, ids []string, all bool) ([]engine.Plan, error) {
	if len(ids) > 0 {
		return nil, nil
	}
	f := engine.Filter{Recent: mostPlans}
	if all {
		f.Recent = 0
	}
	return p.Planner.List(ctx, f)
}

// planItems are plans as lists and reports show them, each with its loops.
func (a *app) planItems(ctx context.Context, p *project.Project, plans []engine.Plan, whole bool) ([]view.PlanItem, error) {
	out := make([]view.PlanItem, len(plans))
	for i, l := range plans {
		out[i] = view.PlanItem{State: l.State, Facts: wholeFacts(ctx, p, l), Whole: whole || len(l.State.Tasks) <= mostWhole}
		loops, err := a.planLoops(ctx, p, l, out[i].Whole, whole)
		if err != nil {
			return nil, err
		}
		if out[i].Loops, err = a.items(ctx, p, loops); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// planLoops are the loops of a plan, oldest first, or those of the tasks that
// run or have failed; history adds all of their attempts.
func (a *app) planLoops(ctx context.Context, p *project.Project, l engine.Plan, whole, history bool) ([]engine.Loop, error) {
	if whole {
		loops, err := p.Engine.List(ctx, engine.Filter{Parent: l.State.ID, Archived: true, History: history})
		return reversed(loops), err
	}
	loops, err := p.Engine.List(ctx, engine.Filter{Parent: l.State.ID, Active: true})
	if err != nil {
		return nil, err
	}
	for _, t := range l.State.Tasks {
		if t.Status != plan.Failed || t.Loop == "" || l.State.Status.Terminal() {
			continue
		}
		failed, err := p.Engine.Show(ctx, t.Loop)
		if err != nil {
			return nil, err
		}
		loops = append(loops, failed)
	}
	return loops, nil
}

func reversed(loops []engine.Loop) []engine.Loop {
	out := make([]engine.Loop, 0, len(loops))
	for _, l := range slices.Backward(loops) {
		out = append(out, l)
	}
	return out
}

func (a *app) planObjects(ctx context.Context, p *project.Project, ids []string, all bool) ([]view.PlanRun, error) {
	plans, err := a.plansToShow(ctx, p, ids, all)
	out := []view.PlanRun{}
	for _, l := range plans {
		out = append(out, view.PlanRunOf(l.State, wholeFacts(ctx, p, l)))
	}
	return out, err
}
