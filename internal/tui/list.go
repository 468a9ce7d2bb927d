package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

func (m *model) listKey(name string) tea.Cmd {
	if n, ok := step(name, max(m.body()/2, 1)); ok {
		m.move(n)
		return nil
	}
	switch name {
	case "enter", "right":
		return m.openStory()
	case "l":
		return m.openLog()
	case "/":
		m.filtering = true
	case "n":
		m.askTask()
	case "esc":
		if m.o.back && m.filter.String() == "" {
			return goBack
		}
		m.filter.set("")
		m.arrange()
	}
	return nil
}

// narrow is the width below which rows omit the number of the attempt, and their
// details are indented less.
const narrow = 60

// indent is the column after ">? needs you  ".
const indent = 14

// listLines returns the groups with their loops, with as much detail as fits on
// the screen. from and to are the lines of the chosen loop.
func (m *model) listLines(w, height int) (lines []string, from, to int) {
	for _, much := range []detail{airy, telling, terse} {
		if lines, from, to = m.listWith(w, much); len(lines) <= height {
			break
		}
	}
	return lines, from, to
}

// detail is how much rows show. Rows that need a user always show why, and the
// chosen one shows everything.
type detail int

// One line per loop; a second line with details; and space between groups.
const (
	terse detail = iota
	telling
	airy
)

func (m *model) listWith(w int, much detail) (lines []string, from, to int) {
	for n, s := range m.sections {
		if n > 0 && much == airy {
			lines = append(lines, "")
		}
		title := fmt.Sprintf("%s (%d)", s.Title, s.Count)
		line := " " + m.ink.bold(title)
		if room := w - 2 - width(title); n == 0 && w >= narrow {
			line += m.ink.dim(fmt.Sprintf("%*s", room, "cost  "+view.ColumnHeads))
		}
		lines = append(lines, line)
		for _, r := range s.Runs {
			at := len(lines)
			lines = append(lines, m.row(r, w, s.NeedsYou || much > terse)...)
			if r.ID == m.at {
				from, to = at, len(lines)
			}
		}
	}
	if m.older() {
		lines = append(lines, " "+m.ink.dim(m.text("older ones: ralph status --all")))
	}
	if from == 1 {
		from = 0 // the first loop is shown with its title
	}
	if len(m.order) > 0 && m.at == m.order[len(m.order)-1] {
		to = len(lines) // and the last one with all that follows
	}
	return lines, from, to
}

// older reports whether more loops may have ended than are shown.
func (m *model) older() bool {
	n := 0
	for _, l := range m.loops {
		if l.State.Status.Terminal() {
			n++
		}
	}
	for _, p := range m.plans {
		if p.Item.State.Status.Terminal() {
			n++
		}
	}
	return n >= newest
}

// row returns the lines of one run: its row and its details.
func (m *model) row(run view.Run, w int, tell bool) []string {
	r, chosen := run.Row(m.now, m.o.Palette), run.ID == m.at
	point := " "
	if chosen {
		point = m.ink.bold(">")
	}
	right := fmt.Sprintf("%8s %6s %4s ", r.Cost, r.Progress, r.Age)
	if w < narrow {
		right = fmt.Sprintf(" %4s ", r.Age)
	}
	lines := []string{point + pad(r.Status, indent-1) + m.name(run, chosen, w-indent-len(right)) + right}
	switch {
	case chosen:
		for _, d := range r.Details {
			lines = append(lines, m.under(d, w, 2)...)
		}
		for _, t := range run.Tasks {
			lines = append(lines, m.under(t.Mark+" "+t.Words, w, 2)...)
		}
		if r.Next != "" {
			lines = append(lines, m.dimmed(m.under(r.Next, w, 3))...)
		}
	case tell && len(r.Details) > 1:
		lines = append(lines, m.under(r.Details[1], w, 1)...)
	}
	return lines
}

// name returns the id, and the task where there is room for both.
func (m *model) name(r view.Run, chosen bool, w int) string {
	id := clip(m.text(r.ID), w, m.o.Palette.ASCII)
	task := ""
	if room := w - width(id) - 4; !chosen && w > 70 && room > 20 {
		task = "  " + m.ink.dim(clip(m.text(r.Title[:min(len(r.Title), 4*room)]), room, m.o.Palette.ASCII))
	}
	if chosen {
		id = m.ink.bold(id)
	}
	return pad(id+task, w)
}

// under indents words below a row, on at most n lines.
func (m *model) under(words string, w, n int) []string {
	margin := strings.Repeat(" ", indent)
	if w < narrow {
		margin = margin[:indent/2]
	}
	room := w - len(margin) - 1
	lines := wrap(m.text(words), room, 0)
	if len(lines) > n {
		lines[n-1] = clip(lines[n-1]+" "+strings.TrimSpace(lines[n]), room, m.o.Palette.ASCII)
		lines = lines[:n]
	}
	for i := range lines {
		lines[i] = margin + lines[i]
	}
	return lines
}

func (m *model) dimmed(lines []string) []string {
	for i := range lines {
		lines[i] = m.ink.dim(lines[i])
	}
	return lines
}

// text cleans text for one line of the screen.
func (m *model) text(s string) string { return cells(s, m.o.Palette.ASCII) }

// emptyList returns the text of a list without loops.
func (m *model) emptyList() []string {
	switch {
	case m.asOf.IsZero():
		return []string{"", " looking …"}
	case m.filter.String() != "" && len(m.loops)+len(m.plans)+len(m.all) > 0:
		return []string{"", m.text(" No loop matches: " + m.filter.String()), " esc shows them all"}
	case len(m.loops)+len(m.plans) > 0:
		return nil
	}
	return append([]string{""}, strings.Split(strings.TrimSpace(view.Nothing), "\n")...)
}

// arrange lists the loops that match the filter, in the usual order, and keeps the
// selection if possible.
func (m *model) arrange() {
	m.findOverlaps()
	runs := slices.DeleteFunc(m.runs(), func(r view.Run) bool { return !m.matches(r) })
	before := slices.Index(m.order, m.at)
	m.sections, m.order = view.Sections(runs), nil
	for _, s := range m.sections {
		for _, r := range s.Runs {
			m.order = append(m.order, r.ID)
		}
	}
	switch {
	case len(m.order) == 0:
		m.at = ""
	case !slices.Contains(m.order, m.at):
		m.at = m.order[min(max(before, 0), len(m.order)-1)]
	}
	if _, ok := m.run(m.open); m.page != pageList && !ok {
		m.leave()
		m.warn("this loop is not here any more")
	}
}

// findOverlaps finds the loops that declare the same files.
func (m *model) findOverlaps() {
	m.overlaps = map[string][]view.Overlap{}
	var active []loop.State
	for _, l := range m.loops {
		if len(l.State.Task.Scope) > 0 && !l.State.Status.Terminal() {
			active = append(active, l.State)
		}
	}
	slices.SortFunc(active, func(a, b loop.State) int { return strings.Compare(a.ID, b.ID) })
	for _, s := range active {
		m.overlaps[s.ID] = view.OverlapsOf(s, active)
	}
}

// facts returns what is known about a loop besides its state.
func (m *model) facts(l engine.Loop) view.Facts {
	return view.Facts{
		Crashed: l.Crashed, Archived: l.Archived, Live: l.Live, Owner: l.Owner,
		Awaits:   cmp.Or(view.AwaitsRoom(l.State, l.Live, m.fullDisk), l.Awaits),
		Overlaps: m.overlaps[l.State.ID], Recovery: l.Recovery,
	}
}

// brief returns a loop for lists, with its texts cut to more than any line holds.
func (m *model) brief(l engine.Loop) view.Item {
	s := l.State
	s.Task.Text = s.Task.Text[:min(len(s.Task.Text), 600)]
	s.Message = s.Message[:min(len(s.Message), 2000)]
	return view.Item{State: s, Facts: m.facts(l)}
}

// matches reports whether every word of the filter is in the loop's name, task,
// agent or status.
func (m *model) matches(r view.Run) bool {
	text := strings.ToLower(strings.Join([]string{r.ID, r.Title, r.Agent, string(r.Status), string(r.Reason)}, " "))
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(m.filter.String())), func(word string) bool {
		return !strings.Contains(text, word)
	})
}

// move selects another loop of the list.
func (m *model) move(n int) {
	if len(m.order) == 0 {
		return
	}
	i := slices.Index(m.order, m.at) + n
	m.at = m.order[min(max(i, 0), len(m.order)-1)]
}
