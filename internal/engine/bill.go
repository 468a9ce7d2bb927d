package engine

import (
	"ralph/internal/loop"
	"ralph/internal/review"
)

// Bill fills in what reviewers cost who did not say, as far as the prices of
// their models are known.
func (w *Worker) Bill(out *review.Outcome) {
	out.Usage = loop.Usage{}
	for i := range out.Votes {
		v := &out.Votes[i]
		v.Usage = w.Priced(loop.Agent{}, v.Usage, v.Model)
		out.Usage = out.Usage.Add(v.Usage)
	}
}

// Bills are what each reviewer has used.
func Bills(out review.Outcome) (all []loop.AgentSpent) {
	for _, v := range out.Votes {
		if v.Costly == 0 && !v.Usage.Costs() {
			continue // it could not be had
		}
		unknown := v.Silent
		if v.Usage.CostMicroUSD == nil {
			unknown = v.Costly
		}
		all = append(all, loop.AgentSpent{
			Name: v.Reviewer, Use: v.Use, Model: v.Model, Review: true, Runs: v.Tries, Usage: v.Usage, CostUnknown: unknown,
		})
	}
	return all
}

// Consults says whether the review would ask agents, which costs: a person's
// answer does not.
func (w *Worker) Consults(s loop.State, a loop.Action) bool {
	if a.Do != loop.DoReview || a.Gate.Kind != loop.KindReview || a.Gate.Review == nil || len(a.Gate.Review.Reviewers) == 0 {
		return false
	}
	_, answered := w.answered(s, a)
	return !answered
}
