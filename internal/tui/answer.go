package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/loop"
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
