package foreground

import (
	"context"
	"errors"
	"slices"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
)

// A run in the foreground that waits for a person asks where it was typed. No process
// runs it meanwhile, so others may answer, end or pause it from elsewhere: then
// the prompt ends, and what they said is followed.

// turn is what became of open questions.
type turn int

const (
	staysOpen turn = iota
	// continues: one of them is answered.
	continues
	// isDue: a timed wait is over, and the question is put again later.
	isDue
	// isOver: the time for an answer to one of them is over.
	isOver
	// stopped: the run has ended or is paused.
	stopped
	// held: another process has the run, to answer, or to continue it.
	held
)

// since is what has become of questions that were open.
func since(s runs.Waiting, asked []runs.Question, now time.Time) turn {
	gone := func(q runs.Question) bool {
		return !slices.ContainsFunc(s.Questions, func(o runs.Question) bool { return o.Key() == q.Key() })
	}
	switch {
	case s.Stopped:
		return stopped
	case slices.ContainsFunc(asked, gone):
		return continues
	case s.Live:
		return held
	case slices.ContainsFunc(asked, func(q runs.Question) bool { return q.Overdue(now) }):
		return isOver
	case !s.Due.IsZero() && !now.Before(s.Due):
		return isDue
	}
	return staysOpen
}

// errMoved ends a prompt whose question is not what it was.
var errMoved = errors.New("the question has been answered")

// askInPlace puts what is open to the person, one question after the other.
// Nothing is no answer: that one stays open.
func (a *Runner) askInPlace(ctx context.Context, p *project.Project, r runs.Run) (turn, error) {
	now, err := r.Waiting(ctx)
	if err != nil {
		return staysOpen, err
	}
	defer p.AtPrompt(now.ID)()
	came := staysOpen
	for i, q := range now.Questions {
		watch := func(ctx context.Context) (turn, error) {
			s, err := r.Waiting(ctx)
			return since(s, now.Questions[i:], a.Now()), err
		}
		text, moved, err := a.putWhile(ctx, q, watch)
		if err != nil || moved != staysOpen {
			return moved, err
		}
		if text == "" {
			continue
		}
		if err := runs.Reply(ctx, a.Opener, p, q, text); err != nil && !runs.AlreadyAnswered(err) {
			return came, err
		}
		came = continues
	}
	return came, nil
}

// putWhile puts a question for as long as it is open.
func (a *Runner) putWhile(ctx context.Context, q runs.Question, watch func(context.Context) (turn, error)) (string, turn, error) {
	ctx, over := context.WithCancelCause(ctx)
	seen := make(chan turn, 1)
	go func() { seen <- untilMoved(ctx, over, watch) }()
	text, err := runs.PutQuestion(ctx, a.Opener, q)
	over(nil)
	moved := <-seen
	switch moved {
	case continues:
		a.Say("\nanswered from elsewhere; the run continues")
	case isOver:
		a.Say("\nthe time for an answer is over; the run continues with the default")
	case isDue:
		a.Say("\na part that waited continues; the question is put again when nothing else runs")
	case stopped, held:
		a.Say("\nthe run was ended, paused or resumed from elsewhere; nothing was answered here")
	default:
		return text, staysOpen, err
	}
	return "", moved, nil
}

// PollEvery is how long a question is left alone between two looks at it.
const PollEvery = 300 * time.Millisecond

// untilMoved looks at a question until it is answered, or the prompt is over. What
// cannot be read now may be read next time. A process that carries out a command, such as
// the answer to this question, holds a run for a moment, on a busy machine for seconds:
// only what is seen again and again has moved.
func untilMoved(ctx context.Context, over context.CancelCauseFunc, watch func(context.Context) (turn, error)) turn {
	before, times := staysOpen, 0
	for command.Sleep(ctx, PollEvery) == nil {
		t, err := watch(ctx)
		if err != nil || t != before {
			times = 0
		}
		before = t
		times++
		enough := 2
		if t == held {
			enough = 20
		}
		if err == nil && t != staysOpen && times >= enough && ctx.Err() == nil {
			over(errMoved)
			return t
		}
	}
	return staysOpen
}

// atRest waits a while for others to release a run, and returns its state.
func atRest(ctx context.Context, r runs.Run) (runs.Waiting, error) {
	const patience = 30 // looks
	for range patience {
		if o, err := r.Waiting(ctx); err != nil || !o.Live {
			return o, err
		}
		if err := command.Sleep(ctx, PollEvery); err != nil {
			return runs.Waiting{}, err
		}
	}
	return r.Waiting(ctx)
}
