package tui

import (
	"fmt"
	"slices"
	"strings"
)

// wrapped are the rows of the log on a screen of width w.
func (l *logPage) wrapped(w int) []string {
	if w = max(w, 1); l.lines.width != w {
		l.lines.wrap(w)
	}
	if l.last == "" {
		return l.lines.rows
	}
	return append(slices.Clip(l.lines.rows), wrap(l.last, w, 2)...)
}

// move moves the window; at the end it follows again.
func (l *logPage) move(n, w, height int) {
	rows := len(l.wrapped(w))
	if !l.up {
		l.scroll.top = rows
	}
	l.scroll.by(0, rows, height)
	l.scroll.by(n, rows, height)
	l.up = l.scroll.top < max(rows-height, 0)
}

// window are the rows that are shown.
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

// tabs names the sources, the one that is shown in brackets, and where in it
// the window stands.
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
