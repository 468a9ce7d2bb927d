package steer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// answerOne answers a question; without a text it puts it first.
func (a *Commands) answerOne(ctx context.Context, p *project.Project, q runs.Question, typed string, f answerFlags) (err error) {
	asked := typed == ""
	if asked {
		if typed, err = runs.PutQuestion(ctx, a.Opener, q); err != nil {
			return err
		}
	}
	said, why, other := q.Accepts(typed)
	switch {
	case said == "" || asked && typed == "":
		return exit.UsageError(q.AnswerCommand(), "the answer is empty: %s", q.Line())
	case why != "" && !other:
		return exit.UsageError(q.ExampleCommand(), "%s", why)
	case why != "" && !f.other && !asked:
		return exit.UsageError(q.ExampleCommand()+"; --other sends other words", "%s", why)
	}
	if err := runs.Reply(ctx, a.Opener, p, q, said); err != nil {
		why := a.runner.AnswerRefused(ctx, p, q, err)
		_, stale := errors.AsType[*foreground.StaleError](why)
		if stale || errors.Is(why, foreground.ErrNotTaken) {
			return exit.UsageError(next.Status(""), "%v", why)
		}
		return why
	}
	if globs, upholds := loop.Upholds(said); upholds && q.Question.Dispute != nil {
		l, err := p.Loops.Show(ctx, q.Loop)
		if err == nil {
			err = launch.SayUnmatched(ctx, a.Opener, p, loop.Spec{Base: l.State.Base, MayChange: globs})
		}
		if err != nil {
			a.Note("the files that may change were not looked up: %v", err)
		}
	}
	then, err := a.runner.Answered(ctx, p, q)
	if a.JSON {
		return errors.Join(a.answeredObject(ctx, p, q), err)
	}
	a.Say("answered %s to: %s", text.Clean(fmt.Sprintf("%q", said)), q.Line())
	if then.Kind == "plan" {
		a.sayOpen(ctx, p, then.ID, q)
	}
	if words := then.Words(); words != "" && err == nil {
		a.Say("%s", words)
	}
	return err
}

func (a *Commands) answeredObject(ctx context.Context, p *project.Project, q runs.Question) error {
	if q.Own == nil {
		return runs.WriteLoop(ctx, a.Opener, p, q.Loop)
	}
	l, err := p.Plans.Show(ctx, q.Plan)
	if err != nil {
		return err
	}
	return runs.WritePlan(ctx, a.Opener, p, l)
}

// sayOpen lists the questions of a plan that are still open, without the one that was
// just answered: its loop may not have taken the answer yet. The answer is stored, so
// that nothing here is an error.
func (a *Commands) sayOpen(ctx context.Context, p *project.Project, id string, but runs.Question) {
	l, err := p.Plans.Show(ctx, id)
	if err != nil {
		return
	}
	asks, err := runs.PlanQuestions(ctx, p, l.State)
	asks = slices.DeleteFunc(asks, func(q runs.Question) bool {
		return q.Loop == but.Loop && q.Plan == but.Plan && q.Question.ID == but.Question.ID
	})
	if err == nil && len(asks) > 0 {
		a.Say("asks still:%s", runs.ListQuestions(asks))
	}
}
