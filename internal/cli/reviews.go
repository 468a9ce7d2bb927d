package cli

import (
	"errors"

	"ralph/internal/cli/exit"
	"ralph/internal/loop"
)

// reviews are the gates that ask reviewers, for all work. A reviewer that is not
// installed is found now, not in the middle of the night.
func (a *app) reviews(p *project) ([]loop.Gate, error) {
	gates := p.settings.ReviewGates()
	for i := range gates {
		if err := a.allConfigured(p, gates[i].Review.Reviewers); err != nil {
			return nil, err
		}
	}
	return gates, nil
}

// allConfigured puts reviewers, ready to be asked, in the place of their names.
func (a *app) allConfigured(p *project, reviewers []loop.Agent) error {
	for i, v := range reviewers {
		found, err := a.configured(p, v)
		if err != nil {
			return err
		}
		reviewers[i] = found
	}
	return nil
}

// reviewed adds the reviews for one piece of work; for a plan all of them, of
// which each task gets its own. Where they are required, nothing starts without.
func (a *app) reviewed(p *project, gates []loop.Gate, f runFlags) ([]loop.Gate, error) {
	reviews, err := a.reviews(p)
	if err != nil {
		return nil, err
	}
	if !f.ofPlan {
		reviews = loop.ReviewsFor(reviews, loop.Work{Criteria: len(f.criteria) > 0})
	}
	if len(reviews) == 0 && p.settings.ReviewRequired() {
		return nil, &exit.Error{
			Code: exit.Missing, Err: errors.New("review.require is on, and nobody would review this work"),
			Hint: "name review.reviewers in ralph.yaml; without --criterion, write review.spec: on",
		}
	}
	return append(gates, reviews...), nil
}
