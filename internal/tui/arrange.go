package tui

import (
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// arrange lists the loops that the filter lets through, in the order of every
// list, and keeps the choice where it was as far as it can.
func (m *model) arrange() {
	m.share()
	var items []report.Item
	for _, l := range m.loops {
		if i := m.brief(l); m.lets(i) {
			items = append(items, i)
		}
	}
	before := slices.Index(m.order, m.at)
	m.sections, m.order = report.Sections(items), nil
	for _, s := range m.sections {
		for _, i := range s.Items {
			m.order = append(m.order, i.State.ID)
		}
	}
	switch {
	case len(m.order) == 0:
		m.at = ""
	case !slices.Contains(m.order, m.at):
		m.at = m.order[min(max(before, 0), len(m.order)-1)]
	}
	if _, ok := m.loops[m.open]; m.page != pageList && !ok {
		m.leave()
		m.warn("this loop is not here any more")
	}
}

// share finds out which loops declare the same files.
func (m *model) share() {
	m.overlaps = map[string][]report.Overlap{}
	var active []loop.State
	for _, l := range m.loops {
		if len(l.State.Task.Scope) > 0 && !l.State.Status.Terminal() {
			active = append(active, l.State)
		}
	}
	slices.SortFunc(active, func(a, b loop.State) int { return strings.Compare(a.ID, b.ID) })
	for _, s := range active {
		m.overlaps[s.ID] = report.OverlapsOf(s, active)
	}
}

// facts are what is known about a loop besides its state.
func (m *model) facts(l engine.Loop) report.Facts {
	return report.Facts{
		Crashed: l.Crashed, Archived: l.Archived, Live: l.Live, Owner: l.Owner,
		Overlaps: m.overlaps[l.State.ID], Recovery: l.Recovery,
	}
}

// brief is a loop as far as lists show it: of texts without an end, more than
// any line can hold.
func (m *model) brief(l engine.Loop) report.Item {
	s := l.State
	s.Task.Text = s.Task.Text[:min(len(s.Task.Text), 600)]
	s.Message = s.Message[:min(len(s.Message), 2000)]
	return report.Item{State: s, Facts: m.facts(l)}
}

// lets says whether the filter lets a loop through: every word of it stands in
// the loop's name, task, agent or status.
func (m *model) lets(i report.Item) bool {
	s := i.State
	text := strings.ToLower(strings.Join([]string{
		s.ID, s.Task.Text, s.Agent.Name, string(report.Status(s, i.Facts)), string(s.Reason),
	}, " "))
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(m.filter.String())), func(word string) bool {
		return !strings.Contains(text, word)
	})
}

// move chooses another loop of the list.
func (m *model) move(n int) {
	if len(m.order) == 0 {
		return
	}
	i := slices.Index(m.order, m.at) + n
	m.at = m.order[min(max(i, 0), len(m.order)-1)]
}
