package loop

import (
	"cmp"
	"strings"
)

// The events people and other programs send.

func (s *State) takeCreated() string {
	if s.Iteration > 0 || s.Status != Pending && s.Mode != AgentDriven {
		return "the loop exists"
	}
	return ""
}

// takeAcquired begins a session. What the owner before left under way is
// reported by Interrupted.
func (s *State) takeAcquired() string {
	s.SessionActive, s.SessionWarned = 0, false
	if s.Status == Pending {
		s.Status = Running
	}
	return ""
}

// boundary is the end of a step: a pause that was asked for happens here.
func (s *State) boundary(next Step) {
	s.Step = next
	if s.PauseAsked && s.Ending == nil {
		s.pause()
	}
}

const pausedWords = "paused on request"

func (s *State) takePause(e PauseAsked) string {
	switch {
	case s.Status == Paused:
		return "already paused"
	case s.Ending != nil:
		return "the loop is ending"
	}
	s.PauseWhy = e.Why
	if s.Status == Running && !s.betweenChecks() {
		s.PauseAsked = true
		return ""
	}
	s.pause()
	return ""
}

// pause stops at once. What a waiting loop waits for stays known.
func (s *State) pause() {
	if s.Reason == "" {
		s.Message = cmp.Or(s.PauseWhy, pausedWords)
	}
	s.Status, s.PauseAsked, s.PauseWhy = Paused, false, ""
}

// betweenChecks: an agent-driven loop in which ralph does nothing at present.
func (s *State) betweenChecks() bool {
	return s.Mode == AgentDriven && s.Step == StepAgent
}

func (s *State) takeResumed() string {
	if s.PauseAsked {
		s.PauseAsked, s.PauseWhy = false, ""
		return ""
	}
	if s.Status != Paused {
		return "not paused"
	}
	if s.Open() != nil && s.Reason == ForHuman || !s.Wake.IsZero() {
		s.Status = Waiting
		return ""
	}
	s.Status, s.Reason, s.Message = Running, "", ""
	return ""
}

func (s *State) takeAbort(e AbortAsked) string {
	if s.Ending != nil {
		return "the loop is ending"
	}
	why, reason := e.Why, Manual
	if why == "" {
		why = "aborted on request"
	}
	if e.Reason == Policy {
		reason = Policy
	}
	s.conclude(e.At, Aborted, reason, why)
	return ""
}

// takeAsked notes a question of an agent that is at work. Only one is open at a
// time, and the number is bounded as that of the questions that end a run.
func (s *State) takeAsked(e Asked) string {
	switch {
	case strings.TrimSpace(e.Question.Text) == "":
		return "a question is missing"
	case e.Question.Timely() != nil:
		return "the question cannot be put like this: " + e.Question.Timely().Error()
	case s.Ending != nil:
		return "the loop is ending"
	case s.Open() != nil:
		return "another question is open"
	case e.Question.Gate != "":
		return s.gateAsks(e)
	case s.Status != Running || !s.Began && !s.betweenChecks():
		return "no agent is at work"
	case s.Mode == AgentDriven:
		if len(s.Questions) >= s.Limits.Questions*(s.Iteration+1) {
			return "more questions than allowed"
		}
		s.question(e.At, e.Question)
		s.waitForAnswer()
	default:
		a := s.Last()
		if a.Questions >= s.Limits.Questions {
			return "more questions than allowed"
		}
		a.Questions++
		s.question(e.At, e.Question)
	}
	return ""
}

// gateAsks waits for a person's word on a gate that is to be evaluated now. The
// gate is then evaluated again, with the answer at hand.
func (s *State) gateAsks(e Asked) string {
	a := Next(*s)
	if s.Status != Running || a.Do != DoReview || a.Gate.Name != e.Question.Gate {
		return "this gate is not being evaluated"
	}
	s.consulted(e.Spent)
	s.question(e.At, e.Question)
	s.waitForAnswer()
	return ""
}

func (s *State) takeSteered(e Steered) string {
	if s.Ending != nil {
		return "the loop is ending"
	}
	s.Guidance = append(s.Guidance, e.Text)
	return ""
}
