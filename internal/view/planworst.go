package view

import (
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// worst is what the plan may cost at most, with so many tasks open.
func (s PlanStart) worst(open int) []string {
	per := s.Rules.PerTask
	budget, given := plan.UsualBudget(len(s.Plan.Tasks)), s.Rules.Attempts
	runs := per * (open - len(s.Inner))
	if given == 0 {
		runs = min(budget, runs)
	}
	for _, inner := range s.Inner {
		budget += inner.budget()
		runs += inner.runs(per)
	}
	if given > 0 {
		budget, runs = given, min(given, runs)
	}
	if most := int(s.Budget.Attempts); most > 0 {
		budget, runs = min(budget, most), min(runs, most)
	}
	out := []string{fmt.Sprintf("worst   %s of an agent (budget %d, at most %d for a task), each at most %s",
		text.Plural(runs, "run"), budget, per, minutes(s.Task.Limits.Attempt.Hard))}
	each, whole := s.judges(), s.Review.Seats()
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

// judges is how many reviewers look at one attempt at most: at its work, at the
// way it is to go, or, where each loop is a chunk, at what it left.
func (s PlanStart) judges() int {
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
