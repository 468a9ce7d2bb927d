package tui

import (
	"fmt"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/report"
)

// head says first whether anything needs a person, then what else there is; on
// the page of a loop, which one that is.
func (m *model) head() []string {
	lines := []string{m.headline()}
	if l, ok := m.loops[m.open]; ok && m.page != pageList && !m.helping {
		lines = append(lines, m.title(l))
	}
	if m.page == pageLog && m.log != nil && !m.helping {
		lines = append(lines, m.log.tabs(m))
	}
	if words := m.staleWords(); words != "" {
		lines = append(lines, " "+m.ink.bad(clip(m.text(words), m.w-2, m.o.Palette.ASCII)))
	}
	return lines
}

// headline is cut from its end where the screen is narrow; what needs somebody
// is never cut.
func (m *model) headline() string {
	var items []report.Item
	for _, l := range m.onlyLoops() {
		items = append(items, report.Item{State: l.State, Facts: m.facts(l)})
	}
	c := report.CountsOf(items)
	words := m.ink.good("Nothing needs you")
	need, what := m.calls()
	switch {
	case m.asOf.IsZero():
		words = "ralph watch"
	case need == 1:
		words = m.ink.ask(m.ink.bold("1 " + what + " needs you"))
	case need > 1 && what == "of them":
		words = m.ink.ask(m.ink.bold(fmt.Sprintf("%d need you", need)))
	case need > 1:
		words = m.ink.ask(m.ink.bold(fmt.Sprintf("%d %ss need you", need, what)))
	}
	right := m.now.Format("15:04") + " "
	for _, part := range []struct {
		n    int
		word string
	}{{c.Running, "running"}, {c.Waiting, "waiting"}, {c.Paused, "paused"}, {c.Failed, "failed"}, {c.Aborted, "aborted"}, {c.Passed, "passed"}} {
		longer := words + m.text(fmt.Sprintf(" · %d %s", part.n, part.word))
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
func (m *model) title(l engine.Loop) string {
	r := m.rowOf(m.brief(l))
	right := fmt.Sprintf("  %s  %s ", r.Iteration, r.Age)
	room := m.w - 3 - width(r.Status) - width(right)
	return " " + r.Status + "  " + pad(m.ink.bold(clip(m.text(r.ID), room, m.o.Palette.ASCII)), room) + right
}

// staleWords say that what is shown is old, and why.
func (m *model) staleWords() string {
	words, since := "! this is how it was at "+m.asOf.Format("15:04:05"), m.asOf
	if m.asOf.IsZero() {
		words, since = "! no answer yet", m.began
	}
	switch {
	case m.trouble != nil:
		return words + ": " + strings.ReplaceAll(m.trouble.Error(), "\n", " ")
	case m.now.Sub(since) >= stale:
		return words
	}
	return ""
}
