package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/view"
)

// storyPage is one loop in full. Its lines are rendered again only when the loop,
// the screen or the minute changed.
type storyPage struct {
	scroll
	of    storyKey
	lines []string
}

type storyKey struct {
	id     string
	seen   seen
	width  int
	minute time.Time
}

func (m *model) openStory() tea.Cmd {
	if _, ok := m.chosen(); !ok {
		return nil
	}
	m.open, m.page, m.story = m.at, pageStory, storyPage{}
	return nil
}

// leave returns to the list.
func (m *model) leave() {
	m.page, m.open, m.log = pageList, "", nil
	m.arrange()
}

func (m *model) storyKey(name string) tea.Cmd {
	if n, ok := step(name, max(m.body()-1, 1)); ok {
		m.story.by(n, len(m.storyLines(m.w)), m.body())
		return nil
	}
	switch name {
	case "esc", "backspace", "left":
		if m.o.back && m.open == m.o.Open {
			return goBack
		}
		m.at = m.open
		m.leave()
	case "l", "enter":
		return m.openLog()
	}
	return nil
}

// order of the parts: first what a user who was just notified wants to know.
func order(p view.Part) int {
	for i, title := range []string{view.Judged, view.LastFailure, view.Tried, view.LookTwice, view.Known} {
		if strings.HasPrefix(p.Title, title) {
			return i
		}
	}
	return -1 // what to type stands at the foot of the page
}

// storyLines returns all lines of the open loop.
func (m *model) storyLines(w int) []string {
	l, p := m.loops[m.open], m.plans[m.open]
	key := storyKey{m.open, seenOf(l), w, m.now.Truncate(time.Minute)}
	if p.Item.State.ID != "" {
		key.seen = p.seen()
	}
	if m.story.of == key && m.story.lines != nil {
		return m.story.lines
	}
	if p.Item.State.ID != "" {
		m.story.of, m.story.lines = key, m.planPage(p, w)
		return m.story.lines
	}
	lines := []string{}
	for i, d := range m.brief(l).Run(m.now).Row(m.now, m.o.Palette).Details {
		if i == 0 {
			d = m.ink.bold(m.text(d))
		} else {
			d = m.text(d)
		}
		for _, line := range wrap(d, w-2, 0) {
			lines = append(lines, " "+line)
		}
	}
	parts := view.LoopOf(view.Item{State: l.State, Facts: m.facts(l)}, m.now).Story(m.now, view.Palette{Color: m.o.Palette.Color, ASCII: m.o.Palette.ASCII, Width: w - 1})
	for n := range 5 {
		for _, part := range parts {
			if order(part) == n {
				lines = append(append(lines, "", " "+m.ink.bold(part.Title)), m.partLines(part, w)...)
			}
		}
	}
	m.story.of, m.story.lines = key, lines
	return lines
}

// partLines wraps a part. Facts have names of ten columns; the rest hangs in by
// two.
func (m *model) partLines(p view.Part, w int) []string {
	hang := 2
	if p.Title == view.Known {
		hang = 10
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(p.Text, "\n"), "\n") {
		for _, l := range wrap(m.painted(line), w-2, hang) {
			out = append(out, " "+l)
		}
	}
	return out
}

// painted cleans a line with our own colours for the screen.
func (m *model) painted(s string) string {
	if !strings.Contains(s, "\x1b") {
		return m.text(s)
	}
	var b strings.Builder
	for len(s) > 0 {
		if k := colour(s); k > 0 {
			b.WriteString(s[:k])
			s = s[k:]
			continue
		}
		n := strings.IndexByte(s[1:], '\x1b') + 1
		if n == 0 {
			n = len(s)
		}
		b.WriteString(m.text(s[:n]))
		s = s[n:]
	}
	return b.String()
}
