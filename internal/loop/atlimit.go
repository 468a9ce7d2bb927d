package loop

import (
	"fmt"
	"strings"
	"time"
)

// The answers to the question whether a loop continues after a usage limit.
const (
	sayContinue = "continue"
	sayPause    = "pause"
)

// pauseAtLimit pauses a loop that is about to wait for usage of its account, where
// its agent's setting is LimitPause.
func (s *State) pauseAtLimit(r Reason) {
	if r.OfQuota() && s.Agent.OnLimit == LimitPause {
		s.PauseAsked = true
	}
}

// askAtLimit puts a person's decision in place of a wait for usage of the account,
// where the agent's setting is LimitAsk. It is asked once for each limit.
func (s *State) askAtLimit(at time.Time) {
	if s.Status != Waiting || !s.Reason.OfQuota() || s.Agent.OnLimit != LimitAsk || s.LimitAgreed || s.Open() != nil {
		return
	}
	s.question(at, Question{
		Limit: true, Options: []string{sayContinue, sayPause},
		Text: fmt.Sprintf("%s has reached a usage limit: %s.\n%s: the loop continues by itself from %s on. %s: it is paused until it is resumed.",
			s.Agent.Name, strings.TrimSuffix(s.Message, "."), sayContinue, s.Wake.UTC().Format("2006-01-02 15:04 UTC"), sayPause),
	})
	s.waitForAnswer()
}

// decideLimit carries out the answer to that question.
func (s *State) decideLimit(q *Question, e Answered) (refusal string) {
	words := strings.ToLower(strings.TrimSpace(e.Text))
	switch {
	case e.By == ByPolicy:
		return "only a person can decide whether the loop continues after the limit"
	case words != sayContinue && words != sayPause:
		return "the question about the limit is answered by " + sayContinue + " or " + sayPause
	}
	s.answer(q, words, e.By, e.At)
	s.LimitAgreed = words == sayContinue
	if words == sayPause && s.Status == Running {
		s.pause()
	}
	return ""
}
