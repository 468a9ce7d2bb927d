package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// Answer is an answer to the question of a run, and to no other.
type Answer struct {
	Run      string
	Question loop.Question
	Text     string
}

// answered is the result of an answer.
type answered struct {
	id, words string
	err       error
}

// answer sends an answer.
func (m *model) answer(a Answer) tea.Cmd {
	m.say("sending to " + a.Run + " …")
	ctx, give, sends := m.ctx, m.o.Answer, m.sends
	sends.Add(1)
	return func() tea.Msg {
		defer sends.Done()
		ctx, cancel := context.WithTimeout(ctx, commandTimeout)
		defer cancel()
		words, err := give(ctx, a)
		return answered{a.Run, words, err}
	}
}

// answered shows what became of an answer.
func (m *model) answered(a answered) tea.Cmd {
	if a.err != nil {
		m.warn(a.id + ": " + a.err.Error())
	} else {
		m.say(a.id + ": " + a.words)
	}
	return m.lookNow()
}

// openQuestion is an open question about a run: of the run itself, of its plan, or of a task.
type openQuestion struct {
	// run asks it, and task is the task that it is about; own: the run is a plan.
	run, task string
	own       bool
	question  loop.Question
}

// questions are the open ones about a run, in the order in which they are put: those of a
// plan, then those of its tasks.
func (m *model) questions(r view.Run) (all []openQuestion) {
	p, isPlan := m.plans[r.ID]
	if !isPlan {
		if r.Question != nil {
			all = append(all, openQuestion{run: r.ID, own: r.Plan, question: *r.Question})
		}
		return all
	}
	for _, q := range p.Item.State.OpenQuestions() {
		all = append(all, openQuestion{run: r.ID, task: q.Task, own: true, question: q.Question})
	}
	for _, a := range p.Item.Facts.Asks {
		_, own := m.plans[a.Loop]
		all = append(all, openQuestion{run: a.Loop, task: a.Task, own: own, question: a.Question})
	}
	return all
}

// askAnswer opens the first question about a run.
func (m *model) askAnswer(r view.Run) tea.Cmd {
	all := m.questions(r)
	if len(all) == 0 {
		m.warn(r.ID + " asks nothing")
		return nil
	}
	m.dialog = m.asks(r.ID, all, 0)
	return nil
}

// askNext opens the next question about the same run; after the last one the first.
func (m *model) askNext() {
	r, _ := m.run(m.dialog.of)
	if all := m.questions(r); len(all) > 1 {
		m.dialog = m.asks(r.ID, all, (m.dialog.at+1)%len(all))
	}
}

// asks is the dialog of one of the questions about a run.
func (m *model) asks(of string, all []openQuestion, at int) *dialog {
	one := all[at]
	q := &one.question
	d := &dialog{id: one.run, kind: engine.Answer, ask: strings.TrimPrefix(strings.Join(view.Put("", loop.Question{Text: q.Text}), "\n"), "? "), hint: "enter send · esc cancel", question: q, picked: -1, own: one.own, of: of, at: at}
	if len(all) > 1 {
		about := ""
		if one.task != "" {
			about = ", about " + one.task
		}
		d.ask = fmt.Sprintf("Question %d of %d%s (tab: the next)\n%s", at+1, len(all), about, d.ask)
	}
	for _, o := range view.Choices(*q) {
		d.ask += "\n" + o
	}
	if due := view.Due(*q, m.now); due != "" {
		d.ask += "\n" + due
	}
	switch {
	case q.Work:
		d.ask += "\nThe work is yours. When it is done, say so:"
		d.edit.set("done")
	case q.Default != "":
		d.hint = "enter send (nothing: " + q.Default + ") · esc cancel"
	}
	if len(q.Options) > 0 {
		d.hint += " · up, down or a number choose"
	}
	return d
}

// stillAsks reports whether the question of a dialog is still open. Another user
// may have answered it meanwhile.
func (m *model) stillAsks(d *dialog) bool {
	r, _ := m.run(d.of)
	return slices.ContainsFunc(m.questions(r), func(o openQuestion) bool {
		return o.run == d.id && o.question.ID == d.question.ID && o.question.Text == d.question.Text
	})
}
