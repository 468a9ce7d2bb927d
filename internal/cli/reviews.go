package cli

import (
	"errors"

	"ralph/internal/config"
	"ralph/internal/loop"
)

// reviews are the gates that ask reviewers about a piece of work. A reviewer
// that is not installed is found now, not in the middle of the night.
func (a *app) reviews(p *project, w config.Work) ([]loop.Gate, error) {
	gates := p.settings.ReviewGates(w)
	if len(gates) == 0 && p.settings.ReviewRequired() {
		return nil, &failure{
			code: exitMissing, err: errors.New("review.require is on, and nobody would review this work"),
			hint: "name review.reviewers in ralph.yaml; without --criterion, write review.spec: on",
		}
	}
	for i := range gates {
		for j, v := range gates[i].Review.Reviewers {
			found, err := a.configured(p, v)
			if err != nil {
				return nil, err
			}
			gates[i].Review.Reviewers[j] = found
		}
	}
	return gates, nil
}
