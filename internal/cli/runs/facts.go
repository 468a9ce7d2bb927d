package runs

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// planFacts are the facts of a plan with the questions of its tasks, its budget
// and what its reviews have cost. What cannot be read is left out: it explains,
// and decides nothing. A fact that accept asks about is read in PlanItem, which fails without it.
func planFacts(ctx context.Context, p *project.Project, l engine.Plan) view.PlanFacts {
	f := baseFacts(l)
	if loops, asks, err := planLoops(ctx, p, l.State); err == nil {
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
	if spent, err := p.Loops.PlanSpent(ctx, l.State.ID); err == nil {
		f.Spent = spent
	}
	if b, found, err := p.Loops.Budget(ctx, loop.PlanLevel, l.State.ID); err == nil && found {
		f.Budgets = []money.Balance{b}
	}
	f.Absent = absent(ctx, p, l.State)
	return f
}

// absent are the loops and plans of failed tasks that are not there: they never began, or
// were deleted since.
func absent(ctx context.Context, p *project.Project, s plan.State) map[string]bool {
	failed := func(t plan.TaskState) bool { return t.Status == plan.Failed && t.Loop != "" }
	if !slices.ContainsFunc(s.Tasks, failed) {
		return nil
	}
	marks, err := p.Loops.Marks(ctx, engine.Filter{Parent: s.ID, Archived: true})
	if err != nil {
		return nil
	}
	out, there := map[string]bool{}, map[string]bool{}
	for _, m := range marks {
		there[m.ID] = true
	}
	for _, t := range s.Tasks {
		switch {
		case !failed(t):
		case t.Child:
			_, err := p.Plans.Show(ctx, t.Loop)
			out[t.Loop] = errors.Is(err, engine.ErrNotFound)
		default:
			out[t.Loop] = !there[t.Loop]
		}
	}
	return out
}

func baseFacts(l engine.Plan) view.PlanFacts {
	return view.PlanFacts{Plan: l.Plan, Of: l.Spec.Parent(), Live: l.Live, Crashed: l.Crashed, Archived: l.Archived, Recovery: l.Recovery}
}

// Lost is what landed of these tasks in plans whose files are gone, in words.
func Lost(ctx context.Context, p *project.Project, path string, pl plan.Plan, base string) (out []string, err error) {
	all, err := p.Plans.Lost(ctx, path, pl, base)
	for _, l := range all {
		out = append(out, l.String())
	}
	return out, err
}
