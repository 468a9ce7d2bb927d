package loop

import (
	"cmp"
	"errors"
	"strings"
	"time"
)

// Acquired: an owner acquired the loop; its session begins.
type Acquired struct {
	Stamp
	Owner string `json:"owner"`
	// Place is where the owner runs; empty for one that only carries out a
	// command, and in old records.
	Place Place `json:"place,omitempty"`
	Gap   Gap   `json:"gap,omitzero"`
}

// Gap is why a run did not move before its owner acquired it. The zero value: it rested,
// or its process ended for an unknown reason.
type Gap struct {
	Cause GapCause `json:"cause,omitempty"`
	// Since is when the disk was found full.
	Since time.Time `json:"since,omitzero"`
}

// GapCause is the code of why.
type GapCause string

// The causes.
const (
	GapReboot   GapCause = "rebooted"   // its process ended together with the machine
	GapDiskFull GapCause = "disk_full"  // its process waited until a disk had room
	GapUnusable GapCause = "unusable"   // its process waited until a directory was there and could be written
	GapTaken    GapCause = "taken_over" // its process lived, and the run was taken from it
)

// Place is where a process drives a run: it decides how the run continues once it
// is answered.
type Place string

// The places of an owner.
const (
	Foreground Place = "foreground"
	Background Place = "background"
)

// Next returns the place of a run that was last driven in p, once an owner in the place
// by has acquired it. asks: all that is left to the owner is to wait for an answer. Then
// one at a terminal changes nothing, and the answer continues the run in the background
// as before.
func (p Place) Next(by Place, asks bool) Place {
	if by == "" || asks && p == Background {
		return p
	}
	return by
}

func (Acquired) Name() string { return "acquired" }

func (e Acquired) Describe() string { return e.Owner }

// apply begins a session. Interrupted reports the unfinished step of the
// previous owner.
func (e Acquired) apply(s *State) string {
	s.SessionActive, s.SessionWarned = 0, false
	s.Place = s.Place.Next(e.Place, s.Open() != nil && s.Status != Running)
	if s.Status == Pending {
		s.Status = Running
	}
	return ""
}

const pausedWords = "paused on request"

// NoOwner asks for the pause of a loop that no process runs.
const NoOwner = "no owner"

// Ownerless reports whether the loop is paused only because no process ran it when a
// command was carried out, and no plan resumes it.
func (s *State) Ownerless() bool { return s.Status == Paused && s.Unowned && !s.InPlan() }

// PauseAsked pauses after the present step, until Resumed. Why is the reason of
// a pause that no person asked for.
type PauseAsked struct {
	Stamp
	By  string `json:"by,omitempty"`
	Why string `json:"why,omitempty"`
}

func (PauseAsked) Name() string { return "pause_asked" }

func (e PauseAsked) Describe() string { return e.Why }

func (PauseAsked) midStep() bool { return true }

func (e PauseAsked) apply(s *State) string {
	switch {
	case s.Status == Paused:
		return "already paused"
	case s.Ending != nil:
		return "the loop is ending"
	}
	s.PauseWhy, s.Unowned = e.Why, e.By == NoOwner
	if s.Status == Running && !s.betweenChecks() {
		s.PauseAsked = true
		return ""
	}
	s.pause()
	return ""
}

// pause stops at once. The reason of a wait stays recorded.
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

// Resumed continues a paused loop.
type Resumed struct {
	Stamp
}

func (Resumed) Name() string { return "resumed" }

func (Resumed) midStep() bool { return true }

func (e Resumed) apply(s *State) string {
	s.Unowned = false
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

// AbortAsked ends the loop. The reason is Manual, or Policy where a rule and
// no person asked.
type AbortAsked struct {
	Stamp
	Why    string `json:"why,omitempty"`
	Reason Reason `json:"reason,omitempty"`
}

func (AbortAsked) Name() string { return "abort_asked" }

func (e AbortAsked) Describe() string { return e.Why }

func (e AbortAsked) apply(s *State) string {
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

// Asked: the agent asked a question during its run. An agent-driven loop waits
// for the answer; otherwise the agent continues, and the loop waits after its
// run.
type Asked struct {
	Stamp
	Question Question `json:"question"`
	// Spent by the reviewers that could not decide it.
	Spent []AgentSpent `json:"spent,omitempty"`
}

func (Asked) Name() string { return "asked" }

func (e Asked) Describe() string {
	if d := e.Question.Dispute; d != nil {
		return "the agent disputes " + d.About() + ": " + d.Why
	}
	return e.Question.Text
}

func (Asked) midStep() bool { return true }

// apply notes a question of an agent that is at work. Only one is open at a
// time, and the number is bounded as that of the questions that end a run.
func (e Asked) apply(s *State) string {
	switch {
	case strings.TrimSpace(e.Question.Text) == "" && e.Question.Dispute == nil:
		return "a question is missing"
	case e.Question.CheckDeadline() != nil:
		return "the question cannot be put like this: " + e.Question.CheckDeadline().Error()
	case s.Ending != nil:
		return "the loop is ending"
	case s.Open() != nil:
		return "another question is open"
	case e.Question.Gate != "":
		return s.gateAsks(e)
	case s.Status != Running || !s.Began && !s.betweenChecks():
		return "no agent is at work"
	case e.Question.Dispute != nil:
		if err := s.dispute(e.At, *e.Question.Dispute); err != nil && !errors.Is(err, ErrTooManyDisputes) {
			return err.Error()
		}
	case s.Mode == AgentDriven:
		if s.asked() >= s.Limits.Questions*(s.Iteration+1) {
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

// gateAsks waits for a person's answer on the next gate. The gate is then
// evaluated again, with the answer at hand.
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

// Steered adds guidance to the next prompts.
type Steered struct {
	Stamp
	Text string `json:"text"`
}

func (Steered) Name() string { return "steered" }

func (e Steered) Describe() string { return e.Text }

func (Steered) midStep() bool { return true }

func (e Steered) apply(s *State) string {
	if s.Ending != nil {
		return "the loop is ending"
	}
	s.Guidance = append(s.Guidance, e.Text)
	if s.Mode != AgentDriven { // whose agent reads it with each check
		s.NewGuidance++
	}
	return ""
}

// Unheard is the guidance that no attempt has had, the oldest first.
func (s *State) Unheard() []string { return newest(s.Guidance, max(0, s.NewGuidance)) }
