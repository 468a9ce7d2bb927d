package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// DrivenList is one line a loop that agents drive, those of an orchestration
// under its name.
func DrivenList(items []Item, now time.Time, p Palette) string {
	if len(items) == 0 {
		return "No agent-driven loops here. Begin one: ralph loop init --gate NAME\n"
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Item) int { return strings.Compare(a.State.Parent, b.State.Parent) })
	var b strings.Builder
	parent := ""
	for _, it := range items {
		s := it.State
		if s.Parent != parent {
			parent = s.Parent
			fmt.Fprintf(&b, "%s\n", p.bold(text.Line(parent)))
		}
		indent := ""
		if parent != "" {
			indent = "  "
		}
		fmt.Fprintf(&b, "%s%s  %s  %s\n", indent, text.Pad(p.status(Status(s, it.Facts), s.Reason), 12), text.Line(s.ID), text.Clip(drivenFacts(s, now), p.width()-20-len(s.ID)))
	}
	return p.Out(b.String())
}

func drivenFacts(s loop.State, now time.Time) string {
	facts := []string{fmt.Sprintf("%s · check %d/%d", gateState(s), s.Iteration, s.Limits.MaxIterations)}
	if s.Reason != "" {
		facts = append(facts, string(s.Reason))
	}
	if until := s.EndsAt(); !until.IsZero() {
		facts = append(facts, text.Duration(max(until.Sub(now), 0).Round(time.Second))+" left")
	}
	return strings.Join(facts, " · ")
}
