package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// View is the whole screen: a head, the page, a dialog or a word about what was
// done, and the keys. It has exactly as many lines as the screen, and none is
// wider.
func (m *model) View() tea.View {
	v := tea.View{AltScreen: true}
	if m.w <= 0 || m.h <= 0 {
		return v
	}
	head := m.head()
	head = head[:min(len(head), m.h)]
	foot, cursor := m.foot()
	foot = foot[max(len(foot)-(m.h-len(head)), 0):]
	height := m.h - len(head) - len(foot)
	page := m.pageLines(height)
	lines := append(head, page[:min(len(page), height)]...)
	for len(lines) < m.h-len(foot) {
		lines = append(lines, "")
	}
	lines = append(lines, foot...)
	for i := range lines {
		if m.o.Palette.ASCII {
			lines[i] = m.painted(lines[i])
		}
		lines[i] = fit(lines[i], m.w)
	}
	v.Content = strings.Join(lines, "\n")
	if cursor != nil {
		cursor.Y = m.h - 1 - cursor.Y
		if cursor.Y >= 0 && cursor.X < m.w {
			v.Cursor = cursor
		}
	}
	return v
}

// body is the height of the page.
func (m *model) body() int {
	foot, _ := m.foot()
	return max(m.h-len(m.head())-len(foot), 0)
}

// pageLines are those of the page, at most height of them.
func (m *model) pageLines(height int) []string {
	if m.helping {
		return m.help.window(m.helpLines(m.w), height)
	}
	switch l := m.loops[m.open]; m.page {
	case pageStory:
		if l.State.ID == "" {
			return m.nothing()
		}
		return m.story.window(m.storyLines(l, m.w), height)
	case pageLog:
		return m.log.window(m, height)
	}
	if len(m.order) == 0 {
		return m.nothing()
	}
	lines, from, to := m.listLines(m.w, height)
	m.list.show(from, to, len(lines), height)
	return m.list.window(lines, height)
}
