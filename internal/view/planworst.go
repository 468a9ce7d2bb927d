package view

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// worst is the highest possible cost of the plan, with so many tasks open.
func (s PlanStart) worst(open int) []string {
	own := open - len(s.Inner)
	if s.Rules.Gaps != nil && s.Rules.Gaps.Rounds > 0 {
		own += len(s.Plan.Gaps) + len(s.Plan.EdgeCases) // they become tasks
	}
	per := s.Rules.PerTask
	runs, budget := plan.UsualBudget(own, s.Rules.Patience()), ""
	for _, inner := range s.Inner {
		runs += inner.runs(per)
	}
	for _, given := range []int{s.Rules.Attempts, int(s.Budget.Attempts)} {
		if given > 0 && (budget == "" || given < runs) {
			budget = fmt.Sprintf("budget %d, ", given)
		}
		if given > 0 {
			runs = min(given, runs)
		}
	}
	out := []string{fmt.Sprintf("worst   %s (%sat most %d for a task), each at most %s",
		text.Plural(runs, "attempt"), budget, s.Rules.Patience(), minutes(s.Task.Limits.Attempt.Hard))}
	each, whole := s.reviewers(), s.Review.Seats()
	switch {
	case each > 0:
		out = append(out, fmt.Sprintf("        and %s of reviewers for each of them, %d for the whole", text.Plural(each, "run"), whole))
	case whole > 0:
		out = append(out, fmt.Sprintf("        and %s of reviewers for the whole", text.Plural(whole, "run")))
	}
	if words := spendable(s.Budget); words != "" {
		if len(s.Inner) > 0 {
			words += "; the plans in tasks' places are paid from it too"
		}
		out = append(out, "budget  "+words)
	}
	return out
}

// reviewers is how many reviewers look at one attempt at most: at its work, at the
// way it is to go, or, where each loop is a chunk, at what it left.
func (s PlanStart) reviewers() int {
	n, most := 0, 0
	for _, g := range s.Task.Gates {
		n += seats(g)
	}
	for _, gates := range s.Gates {
		own := 0
		for _, g := range gates {
			own += seats(g)
		}
		most = max(most, own)
	}
	n += most
	if s.Rules.Chunks {
		n += s.Review.Seats()
	}
	if s.Rules.ByReview {
		n = max(n, 1)
	}
	return n
}

func seats(g loop.Gate) int {
	if g.Review == nil {
		return 0
	}
	return g.Review.Seats()
}

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
// included: the user must see them before trusting it.
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
	for i, g := range gates {
		for n, l := range text.WrapWords(gateWords("", g), p.width()-at-text.Width(label)) {
			begin := strings.Repeat(" ", at) + label
			if i+n > 0 {
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
	return per*own + inner
}
