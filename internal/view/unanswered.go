package view

import (
	"cmp"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// A question that nobody answered is told of wherever people look: the work was
// done as if somebody had decided.

// nobodyAnswered says what was taken for an answer.
func nobodyAnswered(q loop.Question) string {
	took := fmt.Sprintf("was given the answer %q", text.Line(q.Answer))
	if q.Answer == q.Default {
		took = fmt.Sprintf("took the default %q", text.Line(q.Answer))
	}
	return took + ", nobody answered" + inTime(q) + ": " + text.Line(q.Text)
}

// answeredWords are a question's answer, and that no person gave it.
func answeredWords(q loop.Question) string {
	switch {
	case !q.NobodyAnswered():
		return text.Line(q.Answer)
	case q.Answer == q.Default:
		return text.Line(q.Answer) + " (by default: nobody answered" + inTime(q) + ")"
	}
	return text.Line(q.Answer) + " (nobody answered" + inTime(q) + ")"
}

func inTime(q loop.Question) string {
	if q.AskedAt.IsZero() || !q.AnsweredAt.After(q.AskedAt) {
		return ""
	}
	return " in " + text.Duration(q.AnsweredAt.Sub(q.AskedAt))
}

// settledWords are nobodyAnswered with the task that it was about.
func settledWords(o plan.Settled) string {
	return cmp.Or(text.Line(o.Task), "the plan") + " " + nobodyAnswered(o.Question)
}
