package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/view"
)

// View returns the whole screen: head, page, dialog or note, keys. It has exactly
// as many lines as the screen, and none is wider.
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

// body returns the height of the page.
func (m *model) body() int {
	foot, _ := m.foot()
	return max(m.h-len(m.head())-len(foot), 0)
}

// pageLines returns the lines of the page, at most height of them.
func (m *model) pageLines(height int) []string {
	if m.helping {
		return m.help.window(m.helpLines(m.w), height)
	}
	if m.out != nil {
		return m.out.window(m.outputLines(m.w), height)
	}
	switch _, ok := m.run(m.open); m.page {
	case pageStory:
		if !ok {
			return m.emptyList()
		}
		return m.story.window(m.storyLines(m.w), height)
	case pageLog:
		return m.log.window(m, height)
	}
	if len(m.order) == 0 {
		return m.emptyList()
	}
	lines, from, to := m.listLines(m.w, height)
	m.list.show(from, to, len(lines), height)
	return m.list.window(lines, height)
}

// head shows first whether anything needs the user, then the counts; on the page
// of a loop also its name.
func (m *model) head() []string {
	lines := []string{m.headline()}
	if m.out != nil && !m.helping {
		return append(lines, " "+m.ink.bold(clip(m.text(m.out.title), m.w-2, m.o.Palette.ASCII)))
	}
	if l, ok := m.run(m.open); ok && m.page != pageList && !m.helping {
		lines = append(lines, m.title(l))
	}
	if m.page == pageLog && m.log != nil && !m.helping {
		lines = append(lines, m.log.tabs(m))
	}
	if words := m.staleText(); words != "" {
		lines = append(lines, " "+m.ink.bad(clip(m.text(words), m.w-2, m.o.Palette.ASCII)))
	}
	return lines
}

// headline is cut from its end where the screen is narrow, but never what needs
// the user.
func (m *model) headline() string {
	c := view.CountsOf(m.runs())
	words := m.ink.good("Nothing needs you")
	switch {
	case m.asOf.IsZero():
		words = "ralph watch"
	case m.fullDisk != "" && c.NeedsYou == 0:
		words = m.ink.ask("A disk is full")
	case c.NeedsYou == 1:
		words = m.ink.ask(m.ink.bold("1 needs you"))
	case c.NeedsYou > 1:
		words = m.ink.ask(m.ink.bold(fmt.Sprintf("%d need you", c.NeedsYou)))
	case c.Ready > 0:
		words = ""
	}
	right := m.now.Format("15:04") + " "
	if sum := view.CostOf(m.runs()).Short(); sum != "" && m.w >= narrow {
		right = "cost " + sum + "  " + right
	}
	for _, part := range []struct {
		n    int
		word string
	}{{c.Ready, "ready to accept"}, {c.Running, "running"}, {c.Waiting, "waiting"}, {c.Ended, "ended"}} {
		longer := words + m.text(fmt.Sprintf(" · %d %s", part.n, part.word))
		if words == "" {
			longer = m.ink.good(fmt.Sprintf("%d %s", part.n, part.word))
		}
		if part.n > 0 && width(longer)+width(right)+3 <= m.w {
			words = longer
		}
	}
	if project := m.text(m.o.Project) + "  "; width(words)+width(project)+width(right)+3 <= m.w {
		right = project + right
	}
	return " " + pad(words, m.w-width(right)-1) + right
}

// title names the loop of a page.
func (m *model) title(run view.Run) string {
	r := run.Row(m.now, m.o.Palette)
	right := fmt.Sprintf("  %s  %s ", r.Progress, r.Age)
	if r.Cost != "" && m.w >= narrow {
		right = "  " + r.Cost + right
	}
	room := m.w - 3 - width(r.Status) - width(right)
	return " " + r.Status + "  " + pad(m.ink.bold(clip(m.text(r.ID), room, m.o.Palette.ASCII)), room) + right
}

// staleText explains that the screen shows old data, and why, or that runs do not move.
func (m *model) staleText() string {
	words, since := "! this is how it was at "+m.asOf.Format("15:04:05"), m.asOf
	if m.asOf.IsZero() {
		words, since = "! no answer yet", m.began
	}
	switch {
	case m.lookErr != nil:
		return words + ": " + strings.ReplaceAll(m.lookErr.Error(), "\n", " ")
	case m.now.Sub(since) >= stale:
		return words
	case m.fullDisk != "":
		return view.NoRoom
	}
	return ""
}

// scroll is a window on lines; top is the first visible one.
type scroll struct{ top int }

// by moves the window, never beyond the ends.
func (s *scroll) by(n, lines, height int) {
	s.top = min(max(s.top+n, 0), max(lines-height, 0))
}

// show moves the window as little as possible so that the lines [from, to) are
// visible, or the first of them if not all fit.
func (s *scroll) show(from, to, lines, height int) {
	s.top = min(max(s.top, to-height), from)
	s.by(0, lines, height)
}

// window returns the visible lines.
func (s *scroll) window(lines []string, height int) []string {
	s.by(0, len(lines), height)
	return lines[s.top:min(s.top+max(height, 0), len(lines))]
}
