package plan

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Question is one of the plan itself. Those that agents ask stand with their
// loops.
type Question struct {
	loop.Question
	About Topic `json:"about"`
	// Task that it is about, if it is about one.
	Task string `json:"task,omitempty"`
	// Try of the task, from 1.
	Try int `json:"try,omitempty"`
	// No is the answer that decides against; empty: only a person can decide.
	No string `json:"no,omitempty"`
	// Withdrawn: the question lost its subject before it was answered.
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// Topic is the subject of a question, and so determines the effect of its
// answer.
type Topic string

// The topics: a task failed, the approach of a task, boxes that were ticked
// while agents ran, and decisions that reviewers left to a person. See also AboutGaps and
// AboutChecks.
const (
	AboutFailure  Topic = "failure"
	AboutApproach Topic = "approach"
	AboutClaims   Topic = "claims"
	AboutReview   Topic = "review"
)

// ForPerson: the plan itself asks a person about the task.
const ForPerson loop.Reason = "person"

// is compares the answer with one of the options.
func (q Question) is(word string) bool {
	return strings.EqualFold(strings.TrimSpace(q.Answer), word)
}

// OpenQuestion returns the oldest question that waits for a person, or nil. A
// run that has ended asks nothing; the next run asks again.
func (s *State) OpenQuestion() *Question {
	for i := range s.Questions {
		if !s.Questions[i].Answered && !s.takesNoAnswer() {
			return &s.Questions[i]
		}
	}
	return nil
}

// takesNoAnswer reports whether no answer is taken: the plan has ended, or is answered where it
// moves to.
func (s *State) takesNoAnswer() bool { return s.Status.Terminal() || s.Move != nil || s.Partial != nil }

// OpenQuestions returns all questions that wait for a person, the oldest first.
func (s *State) OpenQuestions() []Question {
	if s.takesNoAnswer() {
		return nil
	}
	var open []Question
	for _, q := range s.Questions {
		if !q.Answered {
			open = append(open, q)
		}
	}
	return open
}

// openQuestion is the open one with an id, or nil.
func (s *State) openQuestion(id string) *Question {
	for i := range s.Questions {
		if q := &s.Questions[i]; q.ID == id && !q.Answered {
			return q
		}
	}
	return nil
}

// question asks a person; work that does not depend on it continues.
func (s *State) question(at time.Time, q Question) {
	q.ID, q.AskedAt, q.Answered, q.Answer = fmt.Sprintf("q%d", len(s.Questions)+1), at, false, ""
	s.Questions = append(s.Questions, q)
}

// Answered closes a question of the plan itself.
type Answered struct {
	Stamp
	Text string `json:"text"`
	By   string `json:"by,omitempty"`
	// Question, if it is named; else the one that is open.
	Question string `json:"question,omitempty"`
}

func (Answered) Name() string { return "plan_answered" }

func (e Answered) Describe() string { return because(by("answered", e.By), e.Text) }

// apply closes the question that is named, or the oldest open one, and
// carries out the answer. A run that rests does so until it is resumed.
func (e Answered) apply(s *State) string {
	q := s.OpenQuestion()
	if e.Question != "" {
		q = s.openQuestion(e.Question)
	}
	switch {
	case q == nil && e.Question != "":
		return "the question is answered already"
	case q == nil:
		return "the plan has no open question"
	}
	text, why := q.Takes(e.Text)
	if why != "" {
		return why
	}
	q.Answer, q.Answered, q.By, q.AnsweredAt = text, true, e.By, e.At
	switch q.About {
	case AboutFailure:
		s.decideFailure(*q)
	case AboutApproach:
		s.decideApproach(*q)
	case AboutClaims:
		s.decideClaims(*q, e.By)
	case AboutChecks:
		s.decideChecks(*q)
	case AboutReview:
		s.decideReview(*q, e.At, e.By)
	case AboutGaps:
		s.decideGaps(*q, e.At, e.By)
	}
	return ""
}

// The answers to a failure (on_failure: ask).
const (
	saySkip  = "skip"
	sayRetry = "retry"
	sayStop  = "stop"
)

// FailureQuestion asks how to continue with a task that failed.
func FailureQuestion(t TaskState) Question {
	return Question{
		About: AboutFailure, Task: t.ID, Try: t.Tries, No: saySkip,
		Question: loop.Question{
			Text: t.ID + " failed: " + t.Message, Options: []string{saySkip, sayRetry, sayStop}, Default: saySkip,
		},
	}
}

func (s *State) decideFailure(q Question) {
	switch t := s.Task(q.Task); {
	case q.is(sayStop):
		s.PauseAsked = true
	case q.is(sayRetry) && t != nil && t.Status == Failed:
		*t = t.anew()
	}
}

// asked reports whether a person was asked about this failure of a task.
func (s *State) asked(t *TaskState) bool {
	for _, q := range s.Questions {
		if q.About == AboutFailure && q.Task == t.ID && q.Try == t.Tries {
			return true
		}
	}
	return false
}

// Asked: the plan itself has a question.
type Asked struct {
	Stamp
	Question Question `json:"question"`
}

func (Asked) Name() string { return "plan_asked" }

func (e Asked) Describe() string { return e.Question.Text }

func (e Asked) apply(s *State) string {
	s.question(e.At, e.Question)
	return ""
}
