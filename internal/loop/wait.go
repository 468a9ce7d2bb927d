package loop

import (
	"fmt"
	"time"
)

// wait makes the loop wait, consuming nothing.
func (s *State) wait(r Reason, until time.Time, message string) {
	s.Status, s.Reason, s.Wake, s.Message = Waiting, r, until, message
	if r.OfProvider() && s.ProviderSince.IsZero() {
		s.ProviderSince = s.LastAt
	}
	if s.PauseAsked {
		s.pause()
	}
}

// waitForAnswer waits for a person, or until the question's own deadline.
func (s *State) waitForAnswer() {
	q := s.Open()
	s.wait(ForHuman, q.Deadline, q.Text)
}

// Woke: the time of a wait is over, or a person asked not to wait.
type Woke struct {
	Stamp
	// Asked: a person wants the agent tried now, in spite of its limit.
	Asked bool `json:"asked,omitempty"`
	// Question, if set: its deadline is over, regardless of other waits of the
	// loop.
	Question string `json:"question,omitempty"`
}

func (Woke) Name() string { return "woke" }

// Describe names the overdue question.
func (e Woke) Describe() string {
	if e.Question == "" {
		return ""
	}
	return "no answer to " + e.Question + " in time; its default is taken"
}

func (e Woke) midStep() bool { return e.Question != "" }

func (e Woke) apply(s *State) string {
	if e.Question != "" {
		return s.takeOverdue(e)
	}
	starts := s.Step == StepAgent && !s.Began && s.Mode != AgentDriven
	if e.Asked && starts && s.Status == Running {
		s.TryNow = true
		return ""
	}
	if s.Status != Waiting || s.Reason == ForHuman {
		return "not waiting for a time"
	}
	s.TryNow = e.Asked && (starts || s.Reason.OfProvider())
	if s.Reason.OfProvider() && !e.Asked && s.waitedEnough(e.At, s.Message) {
		return ""
	}
	s.Status, s.Reason, s.Message, s.Wake = Running, "", "", time.Time{}
	return ""
}

// transient retries the agent a bounded number of times; no attempt is used.
func (s *State) transient(at time.Time, message string) {
	if s.Retries >= s.Limits.Transient {
		s.conclude(at, StatusFailed, AgentError, fmt.Sprintf("%s (tried %d times)", message, s.Retries+1))
		return
	}
	s.retry(at, ForRetry, message)
}

// retry does the present step again after a time that doubles.
func (s *State) retry(at time.Time, r Reason, message string) {
	wake := at.Add(s.Limits.Delay(s.Retries))
	s.Retries++
	s.backOff(r, wake, message)
}

// backOff waits. The attempt under way keeps its number.
func (s *State) backOff(r Reason, wake time.Time, message string) {
	s.Began, s.TryNow = false, false
	if a := s.Last(); a != nil && a.Verdict == "" && s.Step == StepAgent {
		a.Interruptions++
	}
	s.wait(r, wake, message)
}

// Delay before trying again for the n-th time: BackOff doubled n times, at
// least a second where none is set, at most an hour.
func (l Limits) Delay(n int) time.Duration {
	d := l.BackOff
	if d <= 0 {
		d = time.Second
	}
	for ; n > 0 && d < time.Hour; n-- {
		d *= 2
	}
	return min(d, time.Hour)
}
