package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// asking is an open question, and where its answer goes: to a loop, or to a plan.
type asking struct {
	loop, plan string
	// task of the plan that it is about, as a person knows it; "" is none.
	task     string
	question loop.Question
	// own is the question of a plan.
	own *plan.Question
}

func asksOfLoop(s loop.State, task string) []asking {
	if q := s.Open(); q != nil && !s.Status.Terminal() {
		return []asking{{loop: s.ID, task: task, question: *q}}
	}
	return nil
}

// ownAsks are a plan's own questions, the oldest first.
func ownAsks(s plan.State) []asking {
	var out []asking
	for _, q := range s.OpenQuestions() {
		out = append(out, asking{plan: s.ID, task: q.Task, question: q.Question, own: &q})
	}
	return out
}

// key tells questions apart.
func (q asking) key() string { return q.loop + "/" + q.plan + "/" + q.question.ID }

// address is the command that answers this very question.
func (q asking) address() string {
	if q.own != nil {
		return next.AnswerOwn(q.plan, *q.own)
	}
	return next.Answer(q.loop, next.Blank)
}

// takes is an answer in the question's words, and why it is none. Other says that
// its own words may be meant all the same: agents take any.
func (q asking) takes(answer string) (words, why string, other bool) {
	if q.own != nil {
		words, why = q.own.Takes(answer)
		return words, why, false
	}
	words, known := q.question.Offered(q.question.Choose(strings.TrimSpace(answer)))
	if words != "" && !known {
		why = fmt.Sprintf("%q is none of the options: %s", text.Clean(words), text.Clean(strings.Join(q.question.Options, ", ")))
	}
	return words, why, true
}

// words are the question as it is put, text of an agent's among it.
func (q asking) words() string {
	var words strings.Builder
	who := ""
	if q.task != "" && (q.own == nil || !strings.Contains(q.question.Text, q.task)) {
		who = q.task + ": "
	}
	words.WriteString("? " + text.Clean(who+q.question.Text) + "\n")
	for i, o := range q.question.Options {
		fmt.Fprintf(&words, "  %d  %s\n", i+1, text.Clean(o))
	}
	return words.String()
}

// prompt is the question with what becomes of it without an answer, and where the
// answer is typed.
func (q asking) prompt(now time.Time) string {
	words := q.words()
	if due := view.Due(q.question, now); due != "" {
		words += "  " + due + "\n"
	}
	if q.question.Default != "" {
		words += "[" + text.Clean(q.question.Default) + "] "
	}
	return words + "> "
}

// overdue: the time for its answer is over.
func (q asking) overdue(now time.Time) bool {
	return !q.question.Deadline.IsZero() && !now.Before(q.question.Deadline)
}

// reply hands an answer to whoever asked, for this question and no other.
func (a *app) reply(ctx context.Context, p *project.Project, q asking, text string) error {
	c := engine.Command{Kind: engine.Answer, Text: text, By: a.Owner(), Question: q.question.ID}
	var err error
	if q.own != nil {
		_, err = p.Planner.Send(ctx, q.plan, c)
	} else {
		_, err = p.Engine.Send(ctx, q.loop, c)
	}
	return err
}

// settled says that somebody else was faster: there is nothing left to answer.
func settled(err error) bool {
	_, byPlan := errors.AsType[*plan.RefusedError](err)
	_, byLoop := errors.AsType[*loop.Refused](err)
	return byPlan || byLoop || errors.Is(err, engine.ErrEnded)
}
