package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// The engine is asked again soonest after a change, and ever more rarely while
// there is none, down to once in the longest interval.
const (
	soonest = 250 * time.Millisecond
	longest = 2 * time.Second
)

// pulse is the screen's clock: how long until the next tick, and which tick is
// the one that counts. Hurrying starts a new one; the old one then comes for
// nothing.
type pulse struct {
	every time.Duration
	count int
}

type tick struct{ count int }

// beat makes the next tick.
func (m *model) beat() tea.Cmd {
	m.pulse.every = min(max(m.pulse.every, soonest), longest)
	return m.after(m.pulse.every, tick{m.pulse.count})
}

// tick looks again, at the loops and at the log that is followed.
func (m *model) tick(t tick) tea.Cmd {
	if t.count != m.pulse.count {
		return nil
	}
	m.now = m.o.Now()
	m.forget()
	if m.pulse.every *= 2; m.moved {
		m.pulse.every = soonest
	}
	m.moved = false
	m.pulse.count++
	return tea.Batch(m.look(), m.follow(), m.beat())
}

// hurry looks at once: something was done, and a person waits to see it.
func (m *model) hurry() tea.Cmd {
	m.now = m.o.Now()
	m.pulse.every = 0
	m.pulse.count++
	return tea.Batch(m.look(), m.follow(), m.beat())
}

// wake makes sure that the next tick comes soon, without looking at once.
func (m *model) wake() tea.Cmd {
	if m.pulse.every <= soonest {
		return nil
	}
	m.pulse.every = 0
	m.pulse.count++
	return m.beat()
}
