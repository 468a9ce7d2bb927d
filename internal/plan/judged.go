package plan

import (
	"slices"
	"strings"

	"ralph/internal/loop"
)

// takeJudged routes a verdict (seed 003): findings enter the plan; a chunk that
// does not pass is worked on again; the plan's own verdict ends it or does not.
func (s *State) takeJudged(e Judged) string {
	r := e.Review
	if r.Task == "" {
		return s.judgedPlan(e)
	}
	t := s.Task(r.Task)
	if t == nil || t.Status != Reviewed {
		return "no work of " + r.Task + " waits for a review"
	}
	s.find(e.Findings)
	s.settle(e.Settled, "review")
	switch {
	case t.Passed && (r.Pass || r.Unreviewed):
		s.queue(t)
	case t.Passed:
		t.Fails++
		s.again(t, "review: "+r.Reason)
	default:
		s.again(t, t.Message)
	}
	if r.Recommendation == NeedsHuman && t.Status != Failed {
		s.question(Asked{e.Stamp, loop.Question{Text: "review of " + t.ID + ": " + r.Reason, Default: Continue}})
	}
	return ""
}

// again makes a task ready for one more loop, on top of what the last one left.
// Chunks with progress use up the plan's budget, not the task's patience.
func (s *State) again(t *TaskState, why string) {
	if t.Fails >= s.Rules.PerTask {
		s.fail(t, loop.MaxAttempts, why)
		return
	}
	t.Status, t.Message, t.Why = Pending, why, why
}

func (s *State) judgedPlan(e Judged) string {
	if s.Stage != Reviewing {
		return "the plan is not to be reviewed yet"
	}
	s.find(e.Findings)
	s.settle(e.Settled, "review")
	review := e.Review
	s.Review = &review
	switch {
	case review.Recommendation == NeedsHuman:
		s.question(Asked{e.Stamp, loop.Question{Text: "review of the plan: " + review.Reason, Options: []string{"accept", "fail"}}})
	case review.Unreviewed || review.Pass:
	default:
		s.end(e.At, loop.StatusFailed, Rejected, "the review of the whole plan did not pass: "+review.Reason)
	}
	return ""
}

// find adds what is new.
func (s *State) find(all []Finding) {
	for _, f := range all {
		f.Text = strings.TrimSpace(f.Text)
		known := slices.ContainsFunc(s.Findings, func(o Finding) bool { return o.Kind == f.Kind && o.Text == f.Text })
		if f.Text != "" && !known {
			s.Findings = append(s.Findings, f)
		}
	}
}

func (s *State) settle(texts []string, by string) {
	for _, text := range texts {
		_ = s.resolve(text, by)
	}
}

// resolve closes a finding; its text or its number, from 1, names it.
func (s *State) resolve(text, by string) string {
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Text == strings.TrimSpace(text) && f.Resolved == "" {
			f.Resolved = by
			return ""
		}
	}
	return "no such open gap or edge case: " + text
}
