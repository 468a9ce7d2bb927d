package launch

import (
	"errors"
	"slices"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/loop"
)

// reviews are the gates that ask reviewers, for all work. A reviewer that is not
// installed is found now, not in the middle of the night.
func reviews(a *project.Opener, p *project.Project) ([]loop.Gate, error) {
	gates := p.Settings.ReviewGates()
	for i := range gates {
		if err := AllConfigured(a, p, gates[i].Review.Reviewers); err != nil {
			return nil, err
		}
	}
	return gates, nil
}

// AllConfigured puts reviewers, ready to be asked, in the place of their names.
func AllConfigured(a *project.Opener, p *project.Project, reviewers []loop.Agent) error {
	for i, v := range reviewers {
		found, err := configured(a, p, v)
		if err != nil {
			return err
		}
		reviewers[i] = found
	}
	return nil
}

// reviewed adds the reviews for one piece of work; for a plan all of them, of
// which each task gets its own. Where they are required, nothing starts without.
func reviewed(a *project.Opener, p *project.Project, gates []loop.Gate, f Flags) ([]loop.Gate, error) {
	reviews, err := reviews(a, p)
	if err != nil {
		return nil, err
	}
	if !f.OfPlan {
		reviews = loop.ReviewsFor(reviews, loop.Work{Criteria: len(f.criteria) > 0})
	}
	if len(reviews) == 0 && p.Settings.ReviewRequired() {
		return nil, &exit.Error{
			Code: exit.Missing, Err: errors.New("review.require is on, but no reviewer is configured for this work"),
			Hint: "name review.reviewers in ralph.yaml; without --criterion, write review.spec: on",
		}
	}
	return append(gates, reviews...), nil
}

// judgesReviewed adds the review that may allow changes of judge files, where it is
// asked for.
func judgesReviewed(a *project.Opener, p *project.Project, gates []loop.Gate) ([]loop.Gate, error) {
	g, asked := p.Settings.JudgesReview()
	switch {
	case !asked:
		return gates, nil
	case len(g.Review.Reviewers) == 0:
		return nil, &exit.Error{
			Code: exit.Missing, Err: errors.New("judges is reviewed, but no reviewer is configured"),
			Hint: "name review.reviewers in your configuration, or write judges: base",
		}
	}
	return append(gates, g), AllConfigured(a, p, g.Review.Reviewers)
}

// Permit changes what the verdict of an old task needs, as far as the flags say so.
func Permit(a *project.Opener, p *project.Project, s *loop.Spec, f Flags) (err error) {
	if err := loop.TaskKind(f.kind).Check(); err != nil {
		return exit.UsageError("--kind docs", "%v", err)
	}
	if err := errors.Join(CheckFiles(nil, f.MayChange), CheckRefuse(f.Refuse, false)); err != nil {
		return err
	}
	if f.kind != "" {
		s.Task.Kind = loop.TaskKind(f.kind)
	}
	if f.proof != "" {
		s.Proof = loop.ProofPolicy(p.Settings.Settings.Proof)
	}
	s.MayChange = slices.Concat(s.MayChange, f.MayChange)
	s.Refuse = refuseToo(s.Refuse, f.Refuse)
	if f.judges != "" {
		s.Gates = slices.DeleteFunc(slices.Clone(s.Gates), loop.Gate.IsJudgesReview)
		s.Gates, err = judgesReviewed(a, p, s.Gates)
	}
	return err
}
