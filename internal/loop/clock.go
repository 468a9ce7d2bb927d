package loop

import (
	"fmt"
	"math"
	"time"
)

// advance moves the clocks to the time of e. The time of a supervised loop counts only
// while a process runs it: not while it waits or is paused, and not between the last
// heartbeat of a dead owner and the next owner. The clock of an agent-driven loop
// runs from init (seed 000: ten minutes), except during a final verification.
func (s *State) advance(e Event) {
	at := e.When()
	_, taken := e.(Acquired)
	runs := s.Status == Running && (s.Mode == AgentDriven || !taken) && !s.InVerification()
	if d := s.Since(Stamp{At: at, Uptime: e.Awake()}); d > 0 && runs && !s.LastAt.IsZero() {
		d = s.bounded(d)
		s.Active, s.SessionActive = plusTime(s.Active, d), plusTime(s.SessionActive, d)
	}
	if s.AwaitsProvider() {
		s.LimitWait = plusTime(s.LimitWait, s.lost(at))
	}
	s.LastAt, s.LastUp = at, e.Awake()
}

// Since returns the time that has passed since the last event: by the uptime where
// both moments are of one boot, so that a clock that is set, or a machine that sleeps,
// takes no time from a loop; else by the wall clock.
func (s *State) Since(now Stamp) time.Duration {
	if d, ok := now.Since(s.LastUp); ok {
		return d
	}
	return now.At.Sub(s.LastAt)
}

// lost is the time since the last event that a provider has taken. Time after
// the end of the wait does not count.
func (s *State) lost(at time.Time) time.Duration {
	if at.After(s.Wake) {
		at = s.Wake
	}
	return max(at.Sub(s.LastAt), 0)
}

// bounded cuts what one event may count to the deadline of the action it ends.
// The engine ends an action at its deadline, so anything longer is a clock that
// jumped or a machine that slept, and uses up nothing. A clock that was set
// back counts nothing either.
func (s *State) bounded(d time.Duration) time.Duration {
	if hard := Next(*s).Timeout.Hard; s.Mode == Supervised && hard > 0 {
		return min(d, hard)
	}
	return d
}

func plusTime(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// ceilings ends a loop that has used up its time. Between
// two checks of an agent-driven loop it may also have stalled.
func (s *State) ceilings(at time.Time) {
	if s.Status != Running || s.Ending != nil || s.InVerification() {
		return
	}
	end := s.outOfTime()
	if end == nil && s.Step == StepAgent {
		end = s.stalled()
	}
	if end != nil {
		s.conclude(at, end.Status, end.Reason, end.Message)
	}
}

func (s *State) outOfTime() *Ending {
	switch l := s.Limits; {
	case l.Loop.Hard > 0 && s.Active >= l.Loop.Hard:
		return &Ending{Status: Aborted, Reason: Timeout, Message: fmt.Sprintf("the loop's time of %s is used up", l.Loop.Hard)}
	case l.Session.Hard > 0 && s.SessionActive >= l.Session.Hard:
		return &Ending{Status: Aborted, Reason: Timeout, Message: fmt.Sprintf("the session's time of %s is used up", l.Session.Hard)}
	}
	return nil
}

// cut shortens a deadline to the remaining time of the loop and the session.
func (s *State) cut(d Deadline) Deadline {
	if s.InVerification() {
		return d
	}
	for _, left := range []time.Duration{
		remaining(s.Limits.Loop.Hard, s.Active), remaining(s.Limits.Session.Hard, s.SessionActive),
	} {
		if left > 0 && (d.Hard == 0 || left < d.Hard) {
			d.Hard = left
		}
	}
	return d
}

// SetupTimeout is the deadline of set-up commands: the remaining time of the loop.
func (s *State) SetupTimeout() Deadline { return s.cut(Deadline{}) }

// remaining is limit − used, at least 1 ns; zero where there is no limit.
func remaining(limit, used time.Duration) time.Duration {
	if limit == 0 {
		return 0
	}
	return max(limit-used, 1)
}

// untilSoft is the time until a soft deadline that has not been said yet; zero
// is none.
func (s *State) untilSoft(soft, used time.Duration, said bool) time.Duration {
	if said || s.Ending != nil {
		return 0
	}
	return remaining(soft, used)
}

// SoftPassed: a soft deadline passed; Scope is ScopeLoop, ScopeSession or
// a step.
type SoftPassed struct {
	Stamp
	Scope      string `json:"scope"`
	Checkpoint string `json:"checkpoint,omitempty"`
}

func (SoftPassed) Name() string { return "soft_deadline" }

func (e SoftPassed) Describe() string { return e.Scope }

func (SoftPassed) midStep() bool { return true }

// apply notes a soft deadline. The ones of the loop and of the session are
// said once.
func (e SoftPassed) apply(s *State) string {
	said := map[string]*bool{ScopeLoop: &s.SoftWarned, ScopeSession: &s.SessionWarned}[e.Scope]
	switch {
	case said == nil:
		return ""
	case *said:
		return "this soft deadline was said before"
	}
	*said = true
	return ""
}

// Ticked: time passed between two checks of an agent-driven loop.
type Ticked struct {
	Stamp
}

func (Ticked) Name() string { return "ticked" }

func (Ticked) apply(*State) string { return "" }

// The scopes of a soft deadline that are no step.
const (
	ScopeLoop    = "loop"
	ScopeSession = "session"
)
