package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/view"
)

// logPage follows one source of the open loop. A window at the end follows it; one
// that was moved up stays in place.
type logPage struct {
	from page
	// at is the source; attempt the requested number, 0 the newest.
	at      source
	attempt int

	lines  lines
	last   string // a line without an end yet
	scroll scroll
	// up: the window was moved up and does not follow the end.
	up bool

	reader  *reader
	reading bool
	err     error
}

// reader is the progress of reading a source. Only the reading command uses it.
type reader struct {
	source source
	ascii  bool
	seen   int64
	log    view.Log // what the events that were read began
	tail   tail
}

// followed is the result of one read.
type followed struct {
	reader *reader
	lines  []string
	// last is a line without an end yet.
	last string
	anew bool
	err  error
}

func (m *model) openLog() tea.Cmd {
	l, ok := m.chosen()
	if !ok {
		return nil
	}
	if l.Plan {
		m.say("the loops of its tasks have rows and logs of their own; its steps, in a shell: " + next.Follow(l.ID))
		return nil
	}
	from := m.page
	if from == pageList {
		m.open = m.at
	}
	m.page = pageLog
	m.follows(&logPage{from: from}, source{})
	return m.lookNow()
}

// follows starts to follow a source.
func (m *model) follows(l *logPage, s source) {
	l.at, l.lines, l.last, l.scroll, l.up, l.err = s, lines{}, "", scroll{}, false, nil
	l.reader, l.reading = &reader{source: s, ascii: m.o.Palette.ASCII}, false
	m.log = l
}

// follow reads new output, unless a read is in flight.
func (m *model) follow() tea.Cmd {
	l, ok := m.loops[m.open]
	if m.page != pageLog || !ok {
		return nil
	}
	if m.log.at != (source{}) && m.log.attempt == 0 && m.log.at.attempt != l.State.Iteration && !m.log.up {
		m.follows(m.log, m.log.on(l.State.Iteration))
	}
	if m.log.reading {
		return nil
	}
	m.log.reading = true
	ctx, e, r, zone := m.ctx, m.o.Engine, m.log.reader, m.now.Location()
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, lookTimeout)
		defer cancel()
		if r.source == (source{}) {
			return r.events(ctx, e, l.State.ID, zone)
		}
		return r.output(engine.Layout{Dir: l.Dir}, l.State.Limits.ConfirmPasses)
	}
}

// on returns the same source of another attempt.
func (l *logPage) on(attempt int) source {
	s := l.at
	s.attempt = attempt
	return s
}

func (m *model) logKey(name string) tea.Cmd {
	if n, ok := step(name, max(m.body()-1, 1)); ok {
		m.log.move(n, m.w-2, m.body())
		return nil
	}
	switch name {
	case "esc", "backspace":
		if m.page = m.log.from; m.page == pageList {
			m.at = m.open
			m.leave()
		}
		m.log = nil
	case "tab", "right":
		return m.switchSource(1)
	case "shift+tab", "left":
		return m.switchSource(-1)
	case "[":
		return m.attempt(-1)
	case "]":
		return m.attempt(1)
	}
	return nil
}

// switchSource switches to another source.
func (m *model) switchSource(n int) tea.Cmd {
	s := m.loops[m.open].State
	attempt := m.log.attempt
	if attempt == 0 {
		attempt = s.Iteration
	}
	all := sources(s, attempt)
	i := slices.IndexFunc(all, func(x source) bool { return x.same(m.log.at) })
	m.follows(m.log, all[(i+n+len(all))%len(all)])
	return m.follow()
}

// attempt switches to another attempt; beyond the last one it follows the newest.
func (m *model) attempt(n int) tea.Cmd {
	last := m.loops[m.open].State.Iteration
	if m.log.at == (source{}) || last == 0 {
		m.say("tab shows the output of the agent and of the gates")
		return nil
	}
	to := max(m.log.at.attempt+n, min(1, last))
	m.log.attempt = to
	if to >= last {
		to, m.log.attempt = last, 0
	}
	m.follows(m.log, m.log.on(to))
	return m.follow()
}

// wrapped returns the rows of the log on a screen of width w.
func (l *logPage) wrapped(w int) []string {
	if w = max(w, 1); l.lines.width != w {
		l.lines.wrap(w)
	}
	if l.last == "" {
		return l.lines.rows
	}
	return append(slices.Clip(l.lines.rows), wrap(l.last, w, 2)...)
}

// move moves the window; at the end it follows the log again.
func (l *logPage) move(n, w, height int) {
	rows := len(l.wrapped(w))
	if !l.up {
		l.scroll.top = rows
	}
	l.scroll.by(0, rows, height)
	l.scroll.by(n, rows, height)
	l.up = l.scroll.top < max(rows-height, 0)
}

// window returns the visible rows.
func (l *logPage) window(m *model, height int) []string {
	rows := l.wrapped(m.w - 2)
	if len(rows) == 0 {
		return l.empty(m)
	}
	if !l.up {
		l.scroll.top = len(rows)
	}
	var out []string
	for _, row := range l.scroll.window(rows, height) {
		out = append(out, " "+row)
	}
	return out
}

func (l *logPage) empty(m *model) []string {
	switch {
	case l.err != nil:
		return []string{"", " " + m.ink.bad(m.text(l.err.Error()))}
	case l.reading:
		return []string{"", m.text(" reading …")}
	}
	return []string{"", " nothing yet"}
}

// tabs names the sources, the current one in brackets, and the position of the
// window.
func (l *logPage) tabs(m *model) string {
	s := m.loops[m.open].State
	right := "following"
	if s.Status.Terminal() {
		right = "the end"
	}
	if rows := len(l.wrapped(m.w - 2)); l.up {
		right = fmt.Sprintf("%d %%  G end", l.scroll.top*100/max(rows, 1))
	}
	if l.err != nil && len(l.lines.text) > 0 {
		right = "! not read: " + m.text(l.err.Error())
	}
	if l.at != (source{}) {
		right = fmt.Sprintf("attempt %d of %d  ", l.at.attempt, s.Iteration) + right
	}
	right = clip(right, m.w*2/3, m.o.Palette.ASCII) + " "
	var names []string
	for _, x := range sources(s, max(s.Iteration, l.at.attempt)) {
		name := clip(m.text(x.name()), 16, m.o.Palette.ASCII)
		if x.same(l.at) {
			name = m.ink.bold("[" + name + "]")
		}
		names = append(names, name)
	}
	left := strings.Join(names, "  ")
	if width(left)+width(right)+3 > m.w {
		left = m.ink.bold("[" + clip(m.text(l.at.name()), 16, m.o.Palette.ASCII) + "]")
	}
	return " " + pad(left, m.w-1-width(right)) + right
}
