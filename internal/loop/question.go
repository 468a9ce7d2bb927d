package loop

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Question is asked of a person; work continues when it is answered.
type Question struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Options []string `json:"options,omitempty"`
	Default string   `json:"default,omitempty"`
	// Gate that asks, about which commit: approve, reject, or again where
	// reviewers are to be asked once more.
	Gate   string `json:"gate,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Dispute is set where the question puts one: uphold or dismiss.
	Dispute *Dispute `json:"dispute,omitempty"`
	// Work: the person is the agent, and the answer means that the work is
	// done.
	Work bool `json:"work,omitempty"`
	// Interrupted: the step under way is interrupted again and again; see Interrupted.
	Interrupted bool `json:"interrupted,omitempty"`
	// Limit: the agent's usage limit is reached, and a person decides whether the loop
	// continues by itself after it (LimitAsk).
	Limit bool `json:"limit,omitempty"`

	AskedAt time.Time `json:"asked_at,omitzero"`
	// Within is how long the agent can wait for an answer, given when it asks;
	// Deadline is when that is over, and the default is taken. Zero is never.
	Within   time.Duration `json:"within_ns,omitempty"`
	Deadline time.Time     `json:"deadline,omitzero"`
	Answer   string        `json:"answer,omitempty"`
	Answered bool          `json:"answered,omitempty"`
	// By is the person or policy that answered, AnsweredAt when.
	By         string    `json:"by,omitempty"`
	AnsweredAt time.Time `json:"answered_at,omitzero"`
}

// Instance tells a question from others of the same id: a run that is begun anew, or
// another run with its name, counts from the first again.
func (q Question) Instance() string { return QuestionInstance(q.ID, q.AskedAt) }

// QuestionInstance is the Instance of the question with this id, asked then.
func QuestionInstance(id string, asked time.Time) string {
	return id + "@" + strconv.FormatInt(asked.UnixNano(), 10)
}

// MaxWithin is the longest that a question can wait before its default is taken:
// more than a year is a typing error.
const MaxWithin = 365 * 24 * time.Hour

// asked counts the questions of the loop.
func (s *State) asked() int { return max(s.Asked, len(s.Questions)) }

// CheckDeadline returns why a question cannot have its deadline, or nil. Only a
// person can answer the question of a gate, or the work itself.
func (q Question) CheckDeadline() error {
	switch {
	case q.Within == 0:
		return nil
	case q.Within < 0:
		return errors.New("its time is over before it is asked")
	case q.Within > MaxWithin:
		return errors.New("its time is longer than a year")
	case strings.TrimSpace(q.Default) == "":
		return errors.New("it has a time, and no default to take then")
	case q.Gate != "" || q.Work || q.Interrupted || q.Limit || q.Dispute != nil:
		return errors.New("only a person can answer it, however long that takes")
	}
	return nil
}

// until is the deadline of a question that is put at a time. One that cannot have
// any waits for a person.
func (q Question) until(at time.Time) time.Time {
	if q.Within == 0 || q.CheckDeadline() != nil {
		return time.Time{}
	}
	return at.Add(q.Within)
}

// ByPolicy is the author of an answer by policy, when no person answered in
// time.
const ByPolicy = "policy"

// AnsweredByPolicy reports whether it was answered without a person.
func (q Question) AnsweredByPolicy() bool { return q.Answered && q.By == ByPolicy }

// Choose returns the option that a typed answer stands for: the number of an
// option is that option, an empty answer the default, and "yes" approves where
// approval is asked for: else it would count as a rejection and cost an attempt.
func (q Question) Choose(answer string) string {
	if answer == "" {
		return q.Default
	}
	for i, o := range q.Options {
		if answer == strconv.Itoa(i+1) {
			return o
		}
	}
	if !agrees(answer) || slices.ContainsFunc(q.Options, func(o string) bool { return strings.EqualFold(o, answer) }) {
		return answer
	}
	for _, o := range q.Options {
		if strings.EqualFold(o, approve) {
			return o
		}
	}
	return answer
}

// approve is the option that "yes" and the like stand for.
const approve = "approve"

// agrees reports whether the whole answer means yes.
func agrees(answer string) bool {
	switch strings.ToLower(strings.TrimRight(strings.TrimSpace(answer), ".!")) {
	case "yes", "y", "ok", "okay", "approved":
		return true
	}
	return false
}

// Offered finds an answer among the options, however it is written; a question
// without options takes any answer, and so does a gate's: the answer describes
// the missing work.
func (q Question) Offered(answer string) (string, bool) {
	for _, o := range q.Options {
		if strings.EqualFold(strings.TrimSpace(answer), strings.TrimSpace(o)) {
			return o, true
		}
	}
	if first, _, _ := strings.Cut(answer, " "); q.Dispute != nil && strings.EqualFold(first, SayUphold) {
		return answer, true
	}
	return answer, len(q.Options) == 0 || q.Gate != "" || answer == q.Default
}

// Accepts returns an answer in the question's words, and whether it is one of the
// options; other reports whether its own words may be meant all the same, as agents take
// any. It is the rule of every front end.
func (q Question) Accepts(answer string) (words string, known, other bool) {
	if q.IsPattern(answer) {
		return answer, false, false
	}
	words, known = q.Offered(q.Choose(strings.TrimSpace(answer)))
	return words, known, q.Dispute == nil && !q.Interrupted && !q.Limit
}

// Placeholder stands for the answer in a command that answers a question with several
// options.
const Placeholder = "OPTION"

// IsPattern reports whether an answer is the placeholder, or all options as one, of a
// command that was pasted as it stood: it chooses nothing.
func (q Question) IsPattern(answer string) bool {
	answer = strings.TrimSpace(answer)
	return len(q.Options) > 1 && !slices.Contains(q.Options, answer) &&
		(answer == Placeholder || answer == strings.Join(q.Options, "|"))
}

// How a question is answered: by the answer of a person, by a policy for questions
// that go unanswered, or by its own default when its time is over.

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
	if q.Dispute != nil {
		return s.rule(q, e)
	}
	if q.Interrupted {
		return s.resolve(q, e)
	}
	if q.Limit {
		return s.decideLimit(q, e)
	}
	s.answer(q, e.Text, e.By, e.At)
	return ""
}

// takeOverdue takes the default of the question whose time is over: the agent
// offered to continue with it. A paused loop takes none.
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

// answer closes a question. The loop still waits for anything else it waited for.
func (s *State) answer(q *Question, text, by string, at time.Time) {
	q.Answer, q.Answered, q.By, q.AnsweredAt = text, true, by, at
	if s.Reason == ForHuman {
		s.Reason, s.Message, s.Wake = "", "", time.Time{}
		if s.Status == Waiting {
			s.Status = Running
		}
	}
	if s.Status == Paused && s.Reason == "" {
		s.Message = "answered; not running"
	}
	if q.Work {
		s.Last().Agent.End = EndDone
		s.boundary(StepCommit)
	}
}
