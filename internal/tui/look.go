package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
)

// newest is how many of the loops that have ended are shown.
const newest = 30

// lookTimeout bounds an answer of the engine; from the age stale on, the screen
// marks its data as old.
const (
	lookTimeout = 5 * time.Second
	stale       = 10 * time.Second
)

// looked is the result of one look.
type looked struct {
	// open is the loop that was open at the start of the look.
	open string
	// ids are all loops; loops has those that changed.
	ids   []string
	loops map[string]engine.Loop
	// planned are all plans.
	planned []Plan
	// fullDisk is a directory whose disk is full, if any.
	fullDisk string
	err      error
}

// seen is the version of a loop that the list shows.
type seen struct {
	seq   int64
	facts engine.Facts
}

func seenOf(l engine.Loop) seen { return seen{l.Seq, l.Facts} }

// still reports whether nothing can have changed since the loop was seen.
func (s seen) still(m engine.Mark) bool {
	return !m.Unsteady && s.seq == m.Seq && s.facts.Live == m.Live && s.facts.Crashed == m.Crashed && s.facts.Archived == m.Archived
}

// look asks for the list of loops, and then for those that changed. The open loop
// is always among them, however long ago it ended.
func look(ctx context.Context, e Engine, known map[string]seen, open string) looked {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	marks, err := engine.Overview(ctx, e.Marks, engine.Filter{}, newest)
	if err != nil {
		return looked{open: open, err: err}
	}
	if open != "" {
		marks = append(marks, engine.Mark{ID: open, Seq: -1})
	}
	a, listed := looked{open: open, loops: map[string]engine.Loop{}}, map[string]bool{}
	for _, m := range marks {
		if listed[m.ID] {
			continue
		}
		listed[m.ID] = true
		if have, ok := known[m.ID]; !ok || !have.still(m) {
			l, err := e.Show(ctx, m.ID)
			if errors.Is(err, engine.ErrNotFound) {
				continue
			}
			if err != nil {
				return looked{open: open, err: err}
			}
			a.loops[m.ID] = l
		}
		a.ids = append(a.ids, m.ID)
	}
	return a
}

// look starts a look, unless one is in flight.
func (m *model) look() tea.Cmd {
	if m.looking {
		return nil
	}
	m.looking = true
	if m.o.All != nil {
		return m.lookAll()
	}
	ctx, e, known, open, plans := m.ctx, m.o.Engine, make(map[string]seen, len(m.loops)), m.open, m.o.Plans
	for id, l := range m.loops {
		known[id] = seenOf(l)
	}
	if _, is := m.plans[open]; is {
		open = ""
	}
	fullDisk := m.o.FullDisk
	return func() tea.Msg {
		a := look(ctx, e, known, open)
		if fullDisk != nil {
			a.fullDisk = fullDisk()
		}
		a.plans(ctx, plans)
		return a
	}
}

// applyLook shows the result of a look. A loop that was opened since its start
// stays.
func (m *model) applyLook(a looked) tea.Cmd {
	m.looking, m.lookErr = false, a.err
	if a.err != nil {
		return nil
	}
	m.now = m.o.Now()
	m.asOf, m.fullDisk = m.now, a.fullDisk
	if a.open != m.open {
		a.ids = append(a.ids, m.open)
	}
	loops := make(map[string]engine.Loop, len(a.ids))
	for _, id := range a.ids {
		if l, ok := m.loops[id]; ok {
			loops[id] = l
		}
	}
	moved := m.takePlans(a.planned)
	moved = moved || len(loops) != len(m.loops)
	for id, l := range a.loops {
		moved = moved || seenOf(loops[id]) != seenOf(l)
		loops[id] = l
	}
	m.loops = loops
	m.arrange()
	if !moved {
		return nil
	}
	m.moved = true
	return m.tickSoon()
}

// The interval between looks is soonest after a change, and doubles without one
// up to longest.
const (
	soonest = 250 * time.Millisecond
	longest = 2 * time.Second
)

// pulse is the screen's clock: the time to the next tick, and the number of the
// valid tick. A faster tick invalidates the one before.
type pulse struct {
	every time.Duration
	count int
}

type tick struct{ count int }

// scheduleTick schedules the next tick.
func (m *model) scheduleTick() tea.Cmd {
	m.pulse.every = min(max(m.pulse.every, soonest), longest)
	return m.after(m.pulse.every, tick{m.pulse.count})
}

// tick looks again at the loops and the followed log.
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
	return tea.Batch(m.look(), m.follow(), m.scheduleTick())
}

// lookNow looks at once, after an action of the user.
func (m *model) lookNow() tea.Cmd {
	m.now = m.o.Now()
	m.pulse.every = 0
	m.pulse.count++
	return tea.Batch(m.look(), m.follow(), m.scheduleTick())
}

// tickSoon makes the next tick come soon, without looking at once.
func (m *model) tickSoon() tea.Cmd {
	if m.pulse.every <= soonest {
		return nil
	}
	m.pulse.every = 0
	m.pulse.count++
	return m.scheduleTick()
}
