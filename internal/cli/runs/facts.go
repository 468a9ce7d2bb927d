package runs

import (
	"cmp"
	"context"
	"errors"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// PlanFacts are the facts of a plan with the questions of its tasks, its budget
// and what its reviews have cost. What cannot be read is left out: it explains,
// and decides nothing.
func PlanFacts(ctx context.Context, p *project.Project, l engine.Plan) view.PlanFacts {
	f := baseFacts(l)
	if loops, asks, err := PlanLoops(ctx, p, l.State); err == nil {
		f.Loops, f.Asks = loops, []view.PlanAsk{}
		for _, q := range asks {
			f.Asks = append(f.Asks, view.PlanAsk{Task: q.Task, Loop: cmp.Or(q.Loop, q.Plan), Question: q.Question, Next: q.AnswerCommand()})
		}
	}
	for _, q := range OwnQuestions(l.State) {
		if words := q.approach(l); words != "" {
			if f.Texts == nil {
				f.Texts = map[string]string{}
			}
			f.Texts[q.Question.ID] = words
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

func baseFacts(l engine.Plan) view.PlanFacts {
	return view.PlanFacts{Plan: l.Plan, Live: l.Live, Crashed: l.Crashed, Archived: l.Archived, Recovery: l.Recovery}
}

// Lost is what landed of these tasks in plans whose files are gone, in words.
func Lost(ctx context.Context, p *project.Project, path string, pl plan.Plan, base string) (out []string, err error) {
	all, err := p.Planner.Lost(ctx, path, pl, base)
	for _, l := range all {
		out = append(out, l.String())
	}
	return out, err
}
