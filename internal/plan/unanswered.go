package plan

import (
	"slices"

	"ralph/internal/loop"
)

// Unanswered is a question that was answered without a person: reports list it for a
// person to check.
type Unanswered struct {
	// Task is empty for the whole plan, Loop for a question of the plan itself.
	Task     string        `json:"task,omitempty"`
	Loop     string        `json:"loop,omitempty"`
	Question loop.Question `json:"question"`
}

// Unanswered are all such questions, the plan's own first.
func (s *State) Unanswered() []Unanswered {
	var out []Unanswered
	for _, q := range s.Questions {
		if q.AnsweredByPolicy() {
			out = append(out, Unanswered{Task: q.Task, Question: q.Question})
		}
	}
	return append(out, s.LoopsUnanswered...)
}

// noteUnanswered notes the question with which a loop was resumed. One that is resumed
// once more reports the same question again.
func (s *State) noteUnanswered(e Taken) {
	if e.Unanswered == nil {
		return
	}
	id := s.Final
	if t := s.Task(e.Task); t != nil {
		id = t.Now()
	}
	known := slices.ContainsFunc(s.LoopsUnanswered, func(o Unanswered) bool { return o.Loop == id && o.Question.ID == e.Unanswered.ID })
	if !known {
		s.LoopsUnanswered = append(s.LoopsUnanswered, Unanswered{Task: e.Task, Loop: id, Question: *e.Unanswered})
	}
}

// withdraw closes questions that have lost their subject: the text of a failed task
// was changed, a tick was taken away, there is more work in the plan
// than the reviewers saw. An answer to the old question would decide something
// else.
func (s *State) withdraw() {
	for i := range s.Questions {
		if q := &s.Questions[i]; !q.Answered && !s.stillAsked(*q) {
			q.Answered, q.Withdrawn = true, true
		}
	}
}

// stillAsked reports whether the question's subject is still to be decided.
func (s *State) stillAsked(q Question) bool {
	t := s.Task(q.Task)
	switch {
	case q.About == AboutClaims:
		return slices.ContainsFunc(s.Tasks, func(t TaskState) bool { return t.Claimed })
	case q.About == AboutGaps:
		return len(s.unworked()) > 0
	case q.About == AboutReview && q.Task == "":
		return s.Stage == Reviewing && s.Review != nil && s.Review.Commit == s.Tip
	case t == nil:
		return false
	}
	switch q.About {
	case AboutFailure:
		return t.Status == Failed && t.Tries == q.Try && !t.Gone
	case AboutChecks:
		return t.Proposes != "" && !t.Gone
	case AboutApproach:
		return t.Status == Approving && t.Rests == ForPerson
	case AboutReview:
		return t.Status == InReview && t.Rests == ForPerson
	}
	return true
}
