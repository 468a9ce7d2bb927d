package loop

import (
	"fmt"
	"time"
)

// AttemptBegan: the agent is about to be started.
type AttemptBegan struct {
	Stamp
	// Attempt is its number, from 1; 0 in records of older versions.
	Attempt      int    `json:"attempt,omitempty"`
	PromptFile   string `json:"prompt_file,omitempty"`
	PromptSHA256 string `json:"prompt_sha256,omitempty"`
	// Learned are the numbers of the patterns that stand in the prompt.
	Learned []int64 `json:"learned,omitempty"`
}

func (AttemptBegan) Name() string { return "attempt_began" }

func (AttemptBegan) midStep() bool { return true }

func (e AttemptBegan) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	if s.Step != StepAgent || s.Began || s.Mode == AgentDriven {
		return "no agent is to be started"
	}
	n, approach := s.upcoming()
	if n > s.Limits.MaxIterations {
		return "all attempts are used"
	}
	if n != s.Iteration {
		s.begin(n, approach, e.At)
	}
	s.Began, s.TryNow, s.Crashes, s.NewGuidance = true, false, 0, 0
	if s.Open() == nil {
		s.Last().Disputed = false
	}
	return ""
}

// AgentEnded: one run of the agent is over.
type AgentEnded struct {
	Stamp
	Outcome Outcome `json:"outcome"`
}

func (AgentEnded) Name() string { return "agent_ended" }

func (e AgentEnded) Describe() string { return because(string(e.Outcome.End), e.Outcome.Message) }

func (e AgentEnded) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	if s.Step != StepAgent || !s.Began {
		return "no agent is running"
	}
	a, out := s.Last(), e.Outcome.clone()
	out.Usage = out.Usage.Sound()
	if out.Session == "" || out.Session != a.Agent.Session {
		a.SessionUsed = Usage{}
	}
	a.SessionUsed = a.SessionUsed.Add(out.Usage)
	s.spend(out.Usage, out.Model, out.Costly())
	a.Agent, s.Began = out, false
	if out.Unhealthy() != "" {
		s.unserved(e.At, out)
		return ""
	}
	s.ProviderSince, s.LimitAgreed = time.Time{}, false
	switch out.End {
	case EndPermanent:
		s.conclude(e.At, StatusFailed, AgentError, out.Message)
	case EndTransient:
		s.transient(e.At, out.Message)
	case EndInterrupted:
		return s.cutShort(e.At, true, because("the agent was cut off", out.Message))
	case EndAsked:
		return s.ask(e.At, out.Question)
	case EndDone, EndFailed, EndTimeout:
		if !out.hardlyBegan() {
			s.Retries = 0
		}
		if d := out.Dispute; d != nil && s.Open() == nil && !a.Disputed {
			_ = s.dispute(e.At, *d) // its refusal is noted
		}
		if a.Disputed {
			s.afterDispute(a)
			return ""
		}
		if s.Open() != nil {
			// It asked a question and ended without the answer: it continues
			// when the answer is there.
			s.waitForAnswer()
			return ""
		}
		s.boundary(StepCommit)
	default:
		return fmt.Sprintf("unknown end %q", out.End)
	}
	return ""
}

// ask waits for a person. Asking consumes no attempt, within bounds.
func (s *State) ask(at time.Time, q *Question) string {
	if q == nil {
		return "a question is missing"
	}
	a := s.Last()
	if !q.Work && a.Questions >= s.Limits.Questions {
		a.Agent.End, a.Agent.Message = EndFailed, "asked more questions than allowed"
		s.boundary(StepCommit)
		return ""
	}
	a.Questions++
	s.question(at, *q)
	s.waitForAnswer()
	return ""
}

// question records an open one.
func (s *State) question(at time.Time, q Question) {
	ask := q.clone()
	ask.Default = oneLine(ask.Default)
	for i := range ask.Options {
		ask.Options[i] = oneLine(ask.Options[i])
	}
	if s.Asked > 0 {
		s.Asked++
	}
	ask.ID, ask.AskedAt = fmt.Sprintf("q%d", max(s.Asked, len(s.Questions)+1)), at
	ask.Answer, ask.Answered = "", false
	ask.Deadline, ask.Within = q.until(at), 0
	s.Questions = append(s.Questions, ask)
}
