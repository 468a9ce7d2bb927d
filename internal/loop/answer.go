package loop

import "time"

// How a question is settled: by the answer of a person, by a policy for questions
// that nobody answers, or by its own default when its time is over.

// Answered: a person answered the open question.
type Answered struct {
	Stamp
	Text string `json:"text"`
	By   string `json:"by,omitempty"`
	// Question, if it is named; else the one that is open.
	Question string `json:"question,omitempty"`
}

func (Answered) Name() string { return "answered" }

func (e Answered) Describe() string { return e.Text }

func (Answered) midStep() bool { return true }

func (e Answered) apply(s *State) string {
	q := s.Open()
	switch {
	case q == nil:
		return "no question is open"
	case e.Question != "" && e.Question != q.ID:
		return "the question is answered already; it asks something else now"
	case e.By == ByPolicy && !q.Deadline.IsZero():
		return "its default is taken when its time is over"
	}
	s.answer(q, e.Text, e.By, e.At)
	return ""
}

// takeOverdue takes the default of the question whose time is over: whoever asked
// said that it can go on with that. While the loop is paused nobody goes on.
func (s *State) takeOverdue(e Woke) string {
	q := s.Open()
	switch {
	case q == nil || q.ID != e.Question:
		return "this question is not open"
	case q.Deadline.IsZero():
		return "the question waits for a person, however long that takes"
	case s.Status == Paused:
		return "the loop is paused"
	}
	s.answer(q, q.Default, ByPolicy, e.At)
	return ""
}

// answer closes a question. What else the loop waits for it goes on waiting for.
func (s *State) answer(q *Question, text, by string, at time.Time) {
	q.Answer, q.Answered, q.By, q.AnsweredAt = text, true, by, at
	if s.Reason == ForHuman {
		s.Reason, s.Message, s.Wake = "", "", time.Time{}
		if s.Status == Waiting {
			s.Status = Running
		}
	}
	if s.Status == Paused && s.Reason == "" {
		s.Message = "answered; ralph resume " + s.ID + " goes on"
	}
	if q.Work {
		s.Last().Agent.End = EndDone
		s.boundary(StepCommit)
	}
}
