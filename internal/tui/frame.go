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
	foot, cursor := m.foot()
	if room := m.h - len(head); len(foot) > room {
		cut := len(foot) - max(room, 0)
		foot = foot[cut:]
	}
	head = head[:min(len(head), m.h)]
	height := m.h - len(head) - len(foot)
	lines := append(head, m.pageLines(height)...)
	for len(lines) < m.h-len(foot) {
		lines = append(lines, "")
	}
	lines = append(lines, foot...)
	for i := range lines {
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
