package plan

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// question puts one to a person; what does not depend on it goes on.
func (s *State) question(e Asked) {
	q := e.Question
	q.ID, q.AskedAt, q.Answered, q.Answer = fmt.Sprintf("q%d", len(s.Questions)+1), e.At, false, ""
	s.Questions = append(s.Questions, q)
}

// takeAnswered closes the oldest open question, and does what the answer to a
// question of ours means.
func (s *State) takeAnswered(e Answered) string {
	q := s.OpenQuestion()
	if q == nil {
		return "the plan has no open question"
	}
	q.Answer, q.Answered = q.Choose(e.Text), true
	word := strings.ToLower(strings.TrimSpace(q.Answer))
	switch {
	case strings.HasPrefix(q.Text, claimsQuestion):
		s.settleClaims(q, e.By)
	case strings.HasPrefix(q.Text, approvalQuestion):
		s.agree(q)
	case strings.HasPrefix(q.Text, failedQuestion) && word == "retry":
		s.reopen(q.Text)
	case strings.HasPrefix(q.Text, failedQuestion) && word == "stop":
		s.PauseAsked = true
	case strings.HasPrefix(q.Text, "review of the plan:") && word == "fail":
		s.end(e.At, loop.StatusFailed, Rejected, "a person did not accept what the review found")
	case strings.HasPrefix(q.Text, "review of the plan:") && s.Review != nil:
		review := *s.Review
		review.Pass, review.Reason = true, "accepted by "+e.By+": "+review.Reason
		s.Review = &review
	}
	if s.Status == loop.Waiting {
		s.stand(loop.Running, "", "")
	}
	return ""
}

// failedQuestion begins what is asked when a task has failed (on_failure: ask).
const failedQuestion = "failed: "

// FailureQuestion asks what is to be done about a task that failed.
func FailureQuestion(t TaskState) loop.Question {
	return loop.Question{
		Text:    failedQuestion + t.ID + ": " + t.Message,
		Options: []string{"skip", "retry", "stop"}, Default: "skip",
	}
}

func (s *State) reopen(text string) {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Status == Failed && strings.HasPrefix(text, failedQuestion+t.ID+":") {
			*t = TaskState{ID: t.ID, Digest: t.Digest, Status: Pending, Tries: t.Tries, Attempts: t.Attempts}
		}
	}
}

// asked says whether the failure of a task was put to a person.
func (s *State) asked(t *TaskState) bool {
	for _, q := range s.Questions {
		if strings.HasPrefix(q.Text, failedQuestion+t.ID+":") {
			return true
		}
	}
	return false
}
