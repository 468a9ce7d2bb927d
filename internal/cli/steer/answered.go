package steer

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// answerOne answers a question; without a text it puts it first.
func (a *Commands) answerOne(ctx context.Context, p *project.Project, q runs.Question, text string, f answerFlags) (err error) {
	asked := text == ""
	if asked {
		if text, err = a.PutQuestion(ctx, q); err != nil {
			return err
		}
	}
	said, why, other := q.Accepts(text)
	switch {
	case said == "" || asked && text == "":
		return exit.UsageError(q.AnswerCommand(), "the answer is empty: %s", q.Question.Text)
	case why != "" && !other:
		return exit.UsageError(q.AnswerCommand(), "%s", why)
	case why != "" && !f.other && !asked:
		return exit.UsageError(strings.Replace(q.AnswerCommand(), ` "…"`, ` --other "…" says something else`, 1), "%s", why)
	}
	if err := a.Reply(ctx, p, q, said); err != nil {
		return err
	}
	if a.JSON {
		return a.answeredObject(ctx, p, q)
	}
	return a.afterAnswer(ctx, p, q, said)
}

func (a *Commands) answeredObject(ctx context.Context, p *project.Project, q runs.Question) error {
	if q.Own == nil {
		return a.WriteLoop(ctx, p, q.Loop)
	}
	l, err := p.Planner.Show(ctx, q.Plan)
	if err != nil {
		return err
	}
	return a.WritePlan(ctx, p, l)
}

// afterAnswer reports the answer, the process that continues with it, and the open
// questions.
func (a *Commands) afterAnswer(ctx context.Context, p *project.Project, q runs.Question, words string) error {
	a.Say("answered %s to: %s", text.Clean(fmt.Sprintf("%q", words)), q.Line())
	if q.Own != nil {
		l, err := p.Planner.Show(ctx, q.Plan)
		if err != nil {
			return err
		}
		return a.afterPlanAnswer(ctx, p, l)
	}
	l, err := p.Engine.Show(ctx, q.Loop)
	if err != nil {
		return err
	}
	if s := l.State; s.Task.Plan != nil && s.Parent != "" {
		if own, err := p.Planner.Show(ctx, s.Parent); err == nil {
			return a.afterPlanAnswer(ctx, p, own)
		}
	}
	switch {
	case l.State.Status != loop.Paused:
	case p.Prompted(q.Loop):
		a.Say("the terminal that asks this continues with it")
	default:
		a.Say("the loop is not running; continue with: %s", next.Resume(q.Loop))
	}
	return nil
}

// afterPlanAnswer reports the open questions of a plan, and the process that
// continues with it.
func (a *Commands) afterPlanAnswer(ctx context.Context, p *project.Project, l engine.Plan) error {
	top := runs.TopPlan(l)
	if top != l.State.ID {
		outer, err := p.Planner.Show(ctx, top)
		if err != nil {
			return err
		}
		l = outer
	}
	asks, err := runs.PlanQuestions(ctx, p, l.State)
	if err != nil {
		return err
	}
	if len(asks) > 0 {
		a.Say("asks still:%s", runs.ListQuestions(asks))
	}
	switch {
	case l.State.Status.Terminal():
	case l.Live:
		a.Say("plan %s is running and continues with it", top)
	case p.Prompted(top):
		a.Say("the terminal that asks for plan %s continues with it", top)
	default:
		a.Say("plan %s is not running; continue with: %s", top, next.Resume(top))
	}
	return nil
}
