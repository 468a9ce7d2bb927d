package foreground

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// StaleError is returned for an answer to a question that is not open any more; its text
// tells what happened to the question.
type StaleError struct{ Happened string }

func (e *StaleError) Error() string { return e.Happened }

// Reply is an answer that was given away from a terminal: by a button, in a browser.
type Reply struct {
	// Run is a loop or a plan, Instance its question (loop.Question.Instance).
	Run, Instance string
	Answer, By    string
	// Other takes an answer that is none of the question's options, where agents do.
	Other bool
	// Continue starts again in the background also what ran at a terminal.
	Continue bool
}

// ErrNotTaken is returned for an answer that the question does not take.
var ErrNotTaken = errors.New("the question does not take this answer")

// AnswerQuestion answers a question under the rules of ralph answer, and continues the run. It
// returns what to tell the person; a *StaleError for a question that has been answered.
func (a *Runner) AnswerQuestion(ctx context.Context, p *project.Project, r Reply) (string, error) {
	q, err := openQuestion(ctx, p, r)
	if err != nil {
		return "", err
	}
	said, why, other := q.Accepts(r.Answer)
	if said == "" || why != "" && (!r.Other || !other) {
		return "", fmt.Errorf("%w: %s", ErrNotTaken, text.Line(why))
	}
	if err := runs.ReplyAs(ctx, p, q, said, r.By); err != nil {
		return "", a.AnswerRefused(ctx, p, q, err)
	}
	words := fmt.Sprintf("answered %q", text.Clean(said))
	then, err := a.Answered(ctx, p, q)
	if err == nil && r.Continue && then.How == ByHand {
		then.How = Restarted
		then, err = a.restarted(ctx, p, then, "the answer")
	}
	if err != nil {
		return words + ", but " + text.Clip(err.Error(), 200), nil
	}
	if how := then.Words(); how != "" {
		words += "; " + how
	}
	return words, nil
}

// AnswerRefused returns why an answer was not taken: a *StaleError where the question was answered
// meanwhile, ErrNotTaken with the reason where the run refused this answer. A refused
// answer may have held the run while the accepted one looked for a process that
// continues it; the run is continued here then.
func (a *Runner) AnswerRefused(ctx context.Context, p *project.Project, q runs.Question, err error) error {
	if !runs.AlreadyAnswered(err) {
		return err
	}
	run := q.Loop
	if q.Own != nil {
		run = q.Plan
	}
	if _, stale := openQuestion(ctx, p, Reply{Run: run, Instance: q.Question.Instance()}); stale != nil {
		_, _ = a.Answered(ctx, p, q) // the accepted answer reports how the run continues
		return stale
	}
	why := err.Error()
	if refused, ok := errors.AsType[*engine.RefusedError](err); ok {
		why = refused.Why
	}
	return fmt.Errorf("%w: %s", ErrNotTaken, text.Line(why))
}

// openQuestion returns the question of a reply while it is open, else a *StaleError.
func openQuestion(ctx context.Context, p *project.Project, r Reply) (runs.Question, error) {
	var asked []runs.Question
	var all []loop.Question
	var status loop.Status
	l, err := p.Loops.Show(ctx, r.Run)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		l, err := p.Plans.Show(ctx, r.Run)
		if err != nil {
			return runs.Question{}, err
		}
		asked, status = runs.OwnQuestions(l.State), l.State.Status
		for _, q := range l.State.Questions {
			all = append(all, q.Question)
		}
	case err != nil:
		return runs.Question{}, err
	default:
		asked, status, all = runs.LoopQuestions(l.State, ""), l.State.Status, l.State.Questions
	}
	if i := slices.IndexFunc(asked, func(q runs.Question) bool { return q.Question.Instance() == r.Instance }); i >= 0 {
		return asked[i], nil
	}
	for _, was := range all {
		if was.Instance() == r.Instance && was.Answered {
			return runs.Question{}, &StaleError{fmt.Sprintf("answered already: %q by %s", text.Clip(was.Answer, 100), text.Clip(was.By, 60))}
		}
	}
	return runs.Question{}, &StaleError{fmt.Sprintf("the question is not open any more; the run is %s", status)}
}
