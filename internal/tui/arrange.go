package tui

import (
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/report"
)

// arrange lists the loops that the filter lets through, in the order of every
// list, and keeps the choice where it was as far as it can.
func (m *model) arrange() {
	var items []report.Item
	for _, l := range m.loops {
		if i := brief(l); m.lets(i) {
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

// brief is a loop as far as lists show it: texts without an end are cut.
func brief(l engine.Loop) report.Item {
	s := l.State
	s.Task.Text = s.Task.Text[:min(len(s.Task.Text), 2000)]
	s.Message = s.Message[:min(len(s.Message), 4000)]
	return report.Item{State: s, Facts: factsOf(l)}
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
