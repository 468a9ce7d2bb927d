package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// planLoops are the loops that a plan's tasks are at, by their ids, and the
// questions that they ask, in the order of the plan. The loops know them: a task
// that has just asked stands there before its plan has noted it.
func planLoops(ctx context.Context, p *project.Project, s plan.State) (map[string]loop.State, []asking, error) {
	loops, asks := map[string]loop.State{}, []asking(nil)
	if s.Status.Terminal() {
		return loops, asks, nil
	}
	for _, t := range s.Tasks {
		id := t.Now()
		if id == "" || t.Gone {
			continue
		}
		if t.Child && t.Status == plan.Running {
			inner, err := innerAsks(ctx, p, t)
			if err != nil {
				return loops, asks, err
			}
			asks = append(asks, inner...)
			continue
		}
		l, err := p.Engine.Show(ctx, id)
		if err != nil {
			return loops, asks, err
		}
		loops[id] = l.State
		asks = append(asks, asksOfLoop(l.State, t.ID)...)
	}
	whole, err := wholeAsks(ctx, p, s)
	return loops, append(asks, whole...), err
}

// wholeAsks is what the loop asks that proves the whole plan, and mends it.
func wholeAsks(ctx context.Context, p *project.Project, s plan.State) ([]asking, error) {
	if s.FinalRests != loop.ForHuman {
		return nil, nil
	}
	l, err := p.Engine.Show(ctx, s.Final)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, nil
	}
	return asksOfLoop(l.State, ""), err
}

// innerAsks is what the plan asks that is run in the place of a task. One that
// has not begun asks nothing.
func innerAsks(ctx context.Context, p *project.Project, t plan.TaskState) ([]asking, error) {
	l, err := p.Planner.Show(ctx, t.Loop)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	asks, err := asksOfPlan(ctx, p, l.State)
	for i := range asks {
		asks[i].task = strings.TrimSuffix(t.ID+" › "+asks[i].task, " › ")
	}
	return asks, err
}

// asksOfPlan is all that a plan asks: its own questions, then those of its tasks.
func asksOfPlan(ctx context.Context, p *project.Project, s plan.State) ([]asking, error) {
	_, asks, err := planLoops(ctx, p, s)
	return append(ownAsks(s), asks...), err
}

// wholeFacts are the facts of a plan with the questions of its tasks, its budget
// and what its reviews have cost. What cannot be read is left out: it explains,
// and decides nothing.
func wholeFacts(ctx context.Context, p *project.Project, l engine.Plan) view.PlanFacts {
	f := planFacts(l)
	if loops, asks, err := planLoops(ctx, p, l.State); err == nil {
		f.Loops, f.Asks = loops, []view.PlanAsk{}
		for _, q := range asks {
			f.Asks = append(f.Asks, view.PlanAsk{Task: q.task, Loop: cmp.Or(q.loop, q.plan), Question: q.question, Next: q.address()})
		}
	}
	if spent, err := p.Engine.PlanSpent(ctx, l.State.ID); err == nil {
		f.Spent = spent
	}
	if b, found, err := p.Engine.Budget(ctx, loop.PlanLevel, l.State.ID); err == nil && found {
		f.Budgets = []money.Balance{b}
	}
	for _, t := range l.State.Tasks {
		if !t.Child || t.Status != plan.Failed {
			continue
		}
		if _, err := p.Planner.Show(ctx, t.Loop); errors.Is(err, engine.ErrNotFound) {
			if f.Unborn == nil {
				f.Unborn = map[string]bool{}
			}
			f.Unborn[t.Loop] = true
		}
	}
	return f
}

// topPlan is the plan that a person runs: the outermost of those in whose tasks'
// place this one is run, or itself.
func topPlan(l engine.Plan) string {
	if all := l.Spec.Ancestors; len(all) > 0 {
		return all[0]
	}
	return l.State.ID
}

// shownPath is a path as a person here would type it.
func (a *app) shownPath(path string) string {
	dir, err := filepath.EvalSymlinks(a.Dir)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
