package loop

import (
	"fmt"
	"time"
)

// Refused is the error of an event that cannot happen in the present state.
type Refused struct {
	Event  string
	Status Status
	Step   Step
	Why    string
}

func (r *Refused) Error() string {
	return fmt.Sprintf("event %s refused in %s/%s: %s", r.Event, r.Status, r.Step, r.Why)
}

// Apply returns the state after e. It refuses what cannot happen; then the
// returned state is s.
func Apply(s State, e Event) (State, error) {
	refuse := func(why string) (State, error) {
		return s, &Refused{Name(e), s.Status, s.Step, why}
	}
	if s.Status.Terminal() {
		return refuse("the loop has ended")
	}
	n := s.clone()
	n.advance(e)
	if why := n.take(e); why != "" {
		return refuse(why)
	}
	n.ceilings(e.When())
	return n, nil
}

// advance moves the clocks. Time counts only while somebody runs the loop, and
// a clock that was set back counts nothing.
func (s *State) advance(e Event) {
	at := e.When()
	_, taken := e.(Acquired)
	if d := at.Sub(s.LastAt); d > 0 && s.Status == Running && !taken {
		s.Active += d
		s.SessionActive += d
	}
	s.LastAt = at
}

// ceilings ends a loop that has used up its time (design §4, rule 1).
func (s *State) ceilings(at time.Time) {
	if s.Status != Running || s.Ending != nil {
		return
	}
	switch l := s.Limits; {
	case l.Loop.Hard > 0 && s.Active >= l.Loop.Hard:
		s.conclude(at, Aborted, Timeout, fmt.Sprintf("the loop's time of %s is used up", l.Loop.Hard))
	case l.Session.Hard > 0 && s.SessionActive >= l.Session.Hard:
		s.conclude(at, Aborted, Timeout, fmt.Sprintf("the session's time of %s is used up", l.Session.Hard))
	case s.Mode == AgentDriven && l.Stall > 0 && at.Sub(s.ProgressAt) >= l.Stall:
		s.conclude(at, Aborted, Stalled, fmt.Sprintf("no improvement for %s", l.Stall))
	}
}

// take changes s by e, or says why e cannot happen.
func (s *State) take(e Event) (why string) {
	switch e := e.(type) {
	case Created, Ticked:
		return ""
	case Acquired:
		s.SessionActive = 0
		if s.Status == Pending {
			s.Status = Running
		}
		return ""
	case PauseAsked:
		return s.takePause()
	case Resumed:
		return s.takeResumed()
	case AbortAsked:
		return s.takeAbort(e)
	case Steered:
		s.Guidance = append(s.Guidance, e.Text)
		return ""
	case Answered:
		return s.takeAnswer(e)
	case Woke:
		return s.takeWoke()
	case SoftPassed:
		if e.Scope == "loop" {
			s.SoftWarned = true
		}
		return ""
	}
	if s.Status != Running {
		return "the loop is not running"
	}
	return s.takeStep(e)
}

// takeStep takes the events that only a running step can produce.
func (s *State) takeStep(e Event) (why string) {
	switch e := e.(type) {
	case Prepared:
		return s.takePrepared(e)
	case AttemptBegan:
		return s.takeBegan(e)
	case Interrupted:
		return s.takeInterrupted(e)
	case AgentEnded:
		return s.takeAgentEnded(e)
	case Committed:
		return s.takeCommitted(e)
	case GateEnded:
		return s.takeGate(e)
	case WorkFailed:
		return s.takeWorkFailed(e)
	case Kept:
		return s.takeKept(e)
	case Tidied:
		return s.takeTidied(e)
	}
	return "unknown event"
}

// conclude decides how the loop ends. What is left to do is to keep the failed
// work and to hand back the worktrees.
func (s *State) conclude(at time.Time, status Status, reason Reason, message string) {
	s.Ending = &Ending{status, reason, message}
	s.Status, s.Reason, s.PauseAsked, s.Wake = Running, "", false, time.Time{}
	if a := s.Last(); a != nil && a.EndedAt.IsZero() {
		a.EndedAt = at
	}
	s.Step = StepTidy
	if status != StatusPassed && s.Worktree != "" {
		s.Step = StepKeep
		s.FailureRef = failureRef(s.Task.ID, at)
	}
	if s.Mode == AgentDriven {
		s.finish(at)
	}
}

// finish makes the decided end the status.
func (s *State) finish(at time.Time) {
	s.Status, s.Reason, s.Message = s.Ending.Status, s.Ending.Reason, s.Ending.Message
	s.Step, s.EndedAt = StepDone, at
}

// boundary is the end of a step: a pause that was asked for happens here.
func (s *State) boundary(next Step) {
	s.Step = next
	if s.PauseAsked && s.Ending == nil {
		s.Status, s.Message, s.PauseAsked = Paused, "paused on request", false
	}
}

// failureRef is seed 004's name of a failure branch, in UTC.
func failureRef(task string, at time.Time) string {
	return fmt.Sprintf("wip/ralph-fail-%s-%s", task, at.UTC().Format("20060102-150405"))
}
