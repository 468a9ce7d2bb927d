package view

import (
	"cmp"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// Card is an open question with all that a person needs to answer it: what is asked,
// the answers, and what becomes of it without one.
type Card struct {
	// Run is the loop or plan that takes the answer, Instance the question among all
	// that it ever asked.
	Run, Instance string
	// Task of a plan that it is about; empty is none.
	Task string
	// Text is the question as it was written; agents write it.
	Text    string
	Options []string
	// With is the option that words may follow; empty is none.
	With string
	// Free: an answer in other words is taken. Default is the one for an empty answer.
	Free    bool
	Default string
	// Due tells what becomes of it without an answer; empty where it waits until it is answered.
	Due   string
	Since time.Time
	// Approves is the text that it asks to approve.
	Approves string
	Dispute  *loop.Dispute
	// Command answers it at a terminal.
	Command string
}

// Cards are the loop's open questions: none or one.
func (l Loop) Cards(now time.Time) []Card {
	if l.Question == nil || l.Status.Terminal() {
		return nil
	}
	return []Card{card(l.ID, "", *l.Question, next.AnswerOpen(l.ID, l.Question), now)}
}

// Cards are the open questions of the plan and of its tasks, the oldest first.
func (v Plan) Cards(now time.Time) []Card {
	var out []Card
	for _, q := range v.Object.Questions {
		c := card(v.ID, q.Task, q.Question, next.AnswerOwn(v.ID, q), now)
		_, refused := q.Takes(unforeseen)
		c.Free, c.Approves = refused == "", v.Object.Texts[q.ID]
		out = append(out, c)
	}
	for _, a := range v.Object.Asks {
		out = append(out, card(a.Loop, a.Task, a.Question, a.Next, now))
	}
	slices.SortStableFunc(out, func(a, b Card) int { return a.Since.Compare(b.Since) })
	return out
}

// unforeseen is an answer that no question offers.
const unforeseen = "an answer in other words"

func card(run, task string, q loop.Question, command string, now time.Time) Card {
	_, taken := q.Offered(unforeseen)
	agents := !q.Interrupted && !q.Limit // agents take any answer
	c := Card{
		Run: run, Instance: q.Instance(), Task: task, Text: q.Text, Options: q.Options, Default: q.Default, Due: Due(q, now), Since: q.AskedAt,
		Free: taken || agents, Dispute: q.Dispute, Command: command,
	}
	if slices.Contains(q.Options, loop.SayUphold) && q.Dispute != nil && q.Dispute.OfGate() {
		c.With = loop.SayUphold
	}
	if q.Work && len(c.Options) == 0 {
		c.Options = []string{"done"}
	}
	return c
}

// Title is the first line of the question.
func (c Card) Title() string {
	return cmp.Or(text.Clip(text.FirstLine(c.Text), mostTitle), "a question")
}
