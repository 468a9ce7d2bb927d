package view

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// InnerPlan is a plan that is run in the place of a task, as it is told before
// anything begins.
type InnerPlan struct {
	File      string
	Open, All int
	// Wrong is why it cannot be run; empty is nothing.
	Wrong string
	// Whole are commands of the plan that judge all of its tasks together.
	Whole []loop.Gate
	// Tasks are those that have gates of their own, or are plans themselves.
	Tasks []InnerTask
}

// InnerTask is a task of such a plan.
type InnerTask struct {
	ID    string
	Gates []loop.Gate
	Inner *InnerPlan
}

func (i InnerPlan) words() string {
	if i.Wrong != "" {
		return "a plan of its own: " + text.Line(i.File) + ": " + text.Line(i.Wrong)
	}
	return fmt.Sprintf("a plan of its own: %s (%s, %d open)", text.Line(i.File), text.Plural(i.All, "task"), i.Open)
}

// lines name the plan and every command that it runs, those of plans inside it
// included: whoever trusts it has seen them.
func (i InnerPlan) lines(at int, p Palette) []string {
	out := []string{strings.Repeat(" ", at) + text.Clip(i.words(), p.width()-at)}
	out = append(out, gateLines(at+2, "of the whole ", i.Whole, p)...)
	for _, t := range i.Tasks {
		out = append(out, gateLines(at+2, text.Line(t.ID)+" gate ", t.Gates, p)...)
		if t.Inner != nil {
			out = append(out, strings.Repeat(" ", at+2)+text.Clip(text.Line(t.ID), p.width()-at-2))
			out = append(out, t.Inner.lines(at+4, p)...)
		}
	}
	return out
}

// gateLines are gates with all of what they run: a command whose end is cut off
// has not been shown.
func gateLines(at int, label string, gates []loop.Gate, p Palette) []string {
	var out []string
	for _, g := range gates {
		for n, l := range text.WrapWords(gateWords("", g), p.width()-at-text.Width(label)) {
			begin := strings.Repeat(" ", at) + label
			if n > 0 {
				begin = strings.Repeat(" ", text.Width(begin))
			}
			out = append(out, begin+l)
		}
	}
	return out
}

// runs is how often agents are run for it at most.
func (i InnerPlan) runs(per int) int {
	own, inner := i.Open, 0
	for _, t := range i.Tasks {
		if t.Inner != nil {
			own--
			inner += t.Inner.runs(per)
		}
	}
	return min(plan.UsualBudget(i.All), per*own) + inner
}

// budget of attempts that it brings, with those of plans inside it.
func (i InnerPlan) budget() int {
	n := plan.UsualBudget(i.All)
	for _, t := range i.Tasks {
		if t.Inner != nil {
			n += t.Inner.budget()
		}
	}
	return n
}
