package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/report"
)

// planLoops are the loops that a plan's tasks are at, by their ids, and the
// questions that they ask, in the order of the plan. The loops know them: a task
// that has just asked stands there before its plan has noted it.
func (p *project) planLoops(ctx context.Context, s plan.State) (map[string]loop.State, []report.PlanAsk, error) {
	loops, asks := map[string]loop.State{}, []report.PlanAsk{}
	if s.Status.Terminal() {
		return loops, asks, nil
	}
	for _, t := range s.Tasks {
		id := t.Now()
		if id == "" || t.Gone {
			continue
		}
		if t.Child && t.Status == plan.Running {
			inner, err := p.innerAsks(ctx, t)
			if err != nil {
				return loops, asks, err
			}
			asks = append(asks, inner...)
			continue
		}
		l, err := p.engine.Show(ctx, id)
		if err != nil {
			return loops, asks, err
		}
		loops[id] = l.State
		if q := l.State.Open(); q != nil && !l.State.Status.Terminal() {
			asks = append(asks, report.PlanAsk{Task: t.ID, Loop: id, Question: *q})
		}
	}
	return loops, asks, nil
}

// innerAsks is what the plan asks that is run in the place of a task: its own
// question, and those of its tasks. One that has not begun asks nothing.
func (p *project) innerAsks(ctx context.Context, t plan.TaskState) ([]report.PlanAsk, error) {
	l, err := p.planner.ShowPlan(ctx, t.Loop)
	if errors.Is(err, engine.ErrNoPlan) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if q := l.State.OpenQuestion(); q != nil && !l.State.Status.Terminal() {
		return []report.PlanAsk{{Task: t.ID, Loop: l.State.ID, Question: q.Question}}, nil
	}
	_, asks, err := p.planLoops(ctx, l.State)
	for i := range asks {
		asks[i].Task = t.ID + " › " + asks[i].Task
	}
	return asks, err
}

// wholeFacts are the facts of a plan with the questions of its tasks, its budget
// and what its reviews have cost. What cannot be read is left out: it explains,
// and decides nothing.
func (p *project) wholeFacts(ctx context.Context, l engine.Plan) report.PlanFacts {
	f := planFacts(l)
	if loops, asks, err := p.planLoops(ctx, l.State); err == nil {
		f.Loops, f.Asks = loops, asks
	}
	if spent, err := p.engine.PlanSpent(ctx, l.State.ID); err == nil {
		f.Spent = spent
	}
	if b, found, err := p.engine.Budget(ctx, loop.PlanLevel, l.State.ID); err == nil && found {
		f.Budgets = []money.Balance{b}
	}
	for _, t := range l.State.Tasks {
		if !t.Child || t.Status != plan.Failed {
			continue
		}
		if _, err := p.planner.ShowPlan(ctx, t.Loop); errors.Is(err, engine.ErrNoPlan) {
			if f.Unborn == nil {
				f.Unborn = map[string]bool{}
			}
			f.Unborn[t.Loop] = true
		}
	}
	return f
}

// answerOfTask answers the one question that a plan's tasks ask. Of several it
// says how each is answered.
func (a *app) answerOfTask(ctx context.Context, p *project, l engine.Plan, text string, other bool) error {
	_, asks, err := p.planLoops(ctx, l.State)
	switch {
	case err != nil:
		return err
	case len(asks) == 0:
		return usage("ralph status shows what needs you", "nothing of plan %s asks for anything", l.State.ID)
	case len(asks) == 1:
		own, err := p.engine.Show(ctx, asks[0].Loop)
		if errors.Is(err, engine.ErrNoLoop) {
			return a.answerOfPlan(ctx, p, asks[0].Loop, text, other)
		}
		if err != nil {
			return err
		}
		return a.answerLoop(ctx, p, own, text, other)
	}
	var b strings.Builder
	for _, q := range asks {
		fmt.Fprintf(&b, "\n  %s: %s\n    ralph answer %s \"…\"", report.Clean(q.Task), report.Clean(q.Question.Text), q.Loop)
	}
	return usage("name the one that you answer", "%d tasks of plan %s ask:%s", len(asks), l.State.ID, b.String())
}

// afterAnswer says who goes on with what was answered.
func (a *app) afterAnswer(ctx context.Context, p *project, s loop.State) {
	if s.Status != loop.Paused && s.Status != loop.Waiting {
		a.say("answered")
		return
	}
	if s.Task.Plan != nil {
		own, err := p.planner.ShowPlan(ctx, s.Parent)
		switch {
		case err == nil && own.Live:
			a.say("answered; plan %s, which is being run, goes on with it", own.State.ID)
			return
		case err == nil && !own.State.Status.Terminal():
			top := topPlan(own)
			a.say("answered; nobody runs plan %s now. Go on with: ralph resume %s", top, top)
			return
		}
	}
	if s.Status == loop.Paused {
		a.say("answered; nobody runs this loop now. Go on with: ralph resume %s", s.ID)
		return
	}
	a.say("answered")
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
