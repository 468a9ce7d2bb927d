package loop

import (
	"fmt"
	"time"
)

// Do names what is to be done now. The set is closed.
type Do string

// The actions. Nothing means that only an event from outside can continue.
const (
	DoNothing Do = "nothing"
	DoPrepare Do = "prepare"
	DoAgent   Do = "agent"
	DoCommit  Do = "commit"
	DoGate    Do = "gate"
	DoReview  Do = "review"
	DoProve   Do = "prove"
	DoVerify  Do = "verify"
	DoWait    Do = "wait"
	DoKeep    Do = "keep"
	DoTidy    Do = "tidy"
)

// Action is the one thing to do now.
type Action struct {
	Do Do `json:"do"`
	// Key is the same each time this very action is asked for, so that doing
	// it again after a crash can be told from doing it anew.
	Key      string   `json:"key"`
	Attempt  int      `json:"attempt"`
	Approach Approach `json:"approach,omitzero"`
	// Gate to evaluate, and on which commit.
	Gate   *Gate  `json:"gate,omitempty"`
	Commit string `json:"commit,omitempty"`
	OnBase bool   `json:"on_base,omitempty"`
	// Timeout of this action, already cut to the remaining time of the loop.
	Timeout Deadline `json:"timeout,omitzero"`
	// LoopSoft and SessionSoft are the times until the soft deadlines of the
	// loop and of the session; zero is none, or said already.
	LoopSoft    time.Duration `json:"loop_soft_ns,omitempty"`
	SessionSoft time.Duration `json:"session_soft_ns,omitempty"`
	// Ref is the failure branch to make.
	Ref string `json:"ref,omitempty"`
	// Wake is when a wait is over; Question the one whose default is taken then.
	Wake     time.Time `json:"wake,omitzero"`
	Question string    `json:"question,omitempty"`
}

// Next returns the next action. It depends on the state alone. A loop that was
// never acquired has nothing to do.
func Next(s State) Action {
	a := Action{
		Do: DoNothing, Attempt: s.Iteration,
		LoopSoft:    s.untilSoft(s.Limits.Loop.Soft, s.Active, s.SoftWarned),
		SessionSoft: s.untilSoft(s.Limits.Session.Soft, s.SessionActive, s.SessionWarned),
	}
	switch {
	case s.Status.Terminal(), s.Status == Paused, s.Status == Pending:
		return a.keyed(s, "")
	case s.Status == Waiting:
		return s.nextWait(a)
	}
	switch s.Step {
	case StepSetup:
		a.Do = DoPrepare
		a.Timeout = s.cut(Deadline{})
	case StepBase:
		return s.nextGate(a, s.BaseResults, s.Base, true)
	case StepAgent:
		return s.nextAgent(a)
	case StepCommit:
		a.Do = DoCommit
	case StepGates:
		return s.nextGate(a, s.Last().Results, s.Last().Commit, false)
	case StepProof:
		return s.nextProof(a)
	case StepVerify:
		a.Do = DoVerify
	case StepKeep:
		a.Do, a.Ref = DoKeep, s.FailureRef
	case StepTidy:
		a.Do = DoTidy
	}
	return a.keyed(s, "")
}

func (a Action) keyed(s State, detail string) Action {
	a.Key = fmt.Sprintf("%s/%d/%s%s", s.ID, a.Attempt, s.Step, detail)
	return a
}

func (s *State) nextWait(a Action) Action {
	switch q := s.Open(); {
	case s.Reason != ForHuman:
		a.Do, a.Wake = DoWait, s.Wake
	case q != nil && !q.Deadline.IsZero():
		a.Do, a.Wake, a.Question = DoWait, q.Deadline, q.ID
	}
	return a.keyed(*s, "/wait")
}

// nextAgent is the run of the next attempt, or of the present one again when
// it was interrupted.
func (s *State) nextAgent(a Action) Action {
	if s.Mode == AgentDriven {
		return a.keyed(*s, "")
	}
	a.Do = DoAgent
	a.Attempt, a.Approach = s.upcoming()
	a.Timeout = s.cut(s.Limits.Attempt)
	n := 0
	if l := s.Last(); l != nil && l.N == a.Attempt {
		n = l.Interruptions + l.Questions
	}
	return a.keyed(*s, fmt.Sprintf("/%d", n))
}

// nextGate is the first gate of the round that has no result yet.
func (s *State) nextGate(a Action, have []Result, commit string, base bool) Action {
	left := s.open(have, base)
	if len(left) == 0 {
		return a.keyed(*s, "")
	}
	g := left[0]
	a.Do, a.Gate, a.Commit, a.OnBase = DoGate, new(g.clone()), commit, base
	if g.IsReview() {
		a.Do = DoReview
	}
	a.Timeout = s.cut(g.Timeout)
	detail := fmt.Sprintf("/%s/0", g.Name)
	if l := s.Last(); l != nil {
		detail = fmt.Sprintf("/%s/%d", g.Name, l.Passes)
		if l.Verifying {
			detail += "/verified"
		}
		if len(s.Reviewed()) > 0 {
			detail += "/reviewed"
		}
	}
	return a.keyed(*s, detail)
}

// nextProof is a gate on the base again, or the search for what fails without the work.
func (s *State) nextProof(a Action) Action {
	if _, g := s.redOnBase(s.Last()); g != nil {
		a.Do, a.Gate, a.Commit, a.OnBase, a.Timeout = DoGate, g, s.Base, true, s.cut(g.Timeout)
		return a.keyed(*s, "/"+g.Name+"/base")
	}
	a.Do, a.Commit = DoProve, s.Last().Commit
	a.Timeout = s.cut(s.proofTimeout())
	return a.keyed(*s, "")
}
