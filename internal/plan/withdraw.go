package plan

import "slices"

// withdraw takes back questions that have lost their subject: the words of a task
// that failed were changed, a tick was taken away, there is more work in the plan
// than the reviewers saw. An answer to the old question would decide something
// else.
func (s *State) withdraw() {
	for i := range s.Questions {
		if q := &s.Questions[i]; !q.Answered && !s.stands(*q) {
			q.Answered, q.Withdrawn = true, true
		}
	}
}

// stands: what the question is about is still to be decided.
func (s *State) stands(q Question) bool {
	t := s.Task(q.Task)
	switch {
	case q.About == AboutClaims:
		return slices.ContainsFunc(s.Tasks, func(t TaskState) bool { return t.Claimed })
	case q.About == AboutReview && q.Task == "":
		return s.Stage == Reviewing && s.Review != nil && s.Review.Commit == s.Tip
	case t == nil:
		return false
	}
	switch q.About {
	case AboutFailure:
		return t.Status == Failed && t.Tries == q.Try && !t.Gone
	case AboutApproach:
		return t.Status == Approving && t.Rests == ForPerson
	case AboutReview:
		return t.Status == Reviewed && t.Rests == ForPerson
	}
	return true
}
