package loop

import (
	"math"
	"time"
)

// Deadline has a soft part, which warns, and a hard part, which ends the step.
// Zero means none.
type Deadline struct {
	Soft time.Duration `json:"soft_ns,omitempty"`
	Hard time.Duration `json:"hard_ns,omitempty"`
}

// Scale multiplies both parts (--timeout-multiplier, seed 004). A factor that
// is not a positive number changes nothing, and a deadline stays one however
// small or large the factor is.
func (d Deadline) Scale(f float64) Deadline {
	return Deadline{Soft: scaled(d.Soft, f), Hard: scaled(d.Hard, f)}
}

func scaled(d time.Duration, f float64) time.Duration {
	switch product := float64(d) * f; {
	case d == 0, math.IsNaN(f), f <= 0:
		return d
	case product >= math.MaxInt64:
		return math.MaxInt64
	default:
		return max(time.Duration(product), 1)
	}
}

// Limits bound a loop. They are frozen when it starts.
type Limits struct {
	// MaxIterations is the number of attempts; at least 1.
	MaxIterations int `json:"max_iterations"`
	// Attempt bounds one run of the agent, Loop the active time of the whole
	// loop, Session the active time since an owner last acquired it.
	Attempt Deadline `json:"attempt"`
	Loop    Deadline `json:"loop"`
	Session Deadline `json:"session"`
	// Fixes is how many attempts may follow red hard gates, each with the evidence
	// before it and the gates after it (seed 002: test, fix, test again); 0 leaves
	// it to MaxIterations.
	Fixes int `json:"fixes,omitempty"`
	// ConfirmPasses is how many evaluations in a row must pass; at least 1.
	ConfirmPasses int `json:"confirm_passes"`

	// StuckAfter equal fingerprints start the escalation; MaxShifts attempts
	// may try another approach before it stops (seed 004: 3 and 2).
	StuckAfter int `json:"stuck_after"`
	MaxShifts  int `json:"max_shifts"`
	// Regression falls in a row of a failing value abort (seed 000: 2).
	Regression int `json:"regression"`
	// NoChange no-op attempts running, or Plateau failing attempts running
	// without a better value, fail the loop (design: 3 and 5).
	NoChange int `json:"no_change"`
	Plateau  int `json:"plateau"`
	// Stall aborts an agent-driven loop without improvement (seed 000: 5 min);
	// zero switches it off.
	Stall time.Duration `json:"stall_ns,omitempty"`

	// Transient errors of the agent are retried this often without consuming
	// an attempt, the first after BackOff, doubling.
	Transient int           `json:"transient"`
	BackOff   time.Duration `json:"back_off_ns"`
	// Wait bounds the time that the loop waits for its agent's provider, in all;
	// zero is no bound.
	Wait time.Duration `json:"wait_ns,omitempty"`
	// Keep is the part of each window of the account's usage limit, in per cent, that
	// the loop leaves to the user: no attempt starts while less is left. 0 keeps none.
	Keep float64 `json:"keep_percent,omitempty"`
	// QuietHours are hours of the week in which no attempt starts, by the local clock,
	// as package quiet reads them; empty is none.
	QuietHours string `json:"quiet_hours,omitempty"`
	// Interruptions is how often the steps of one attempt may be interrupted before
	// a person is asked.
	Interruptions int `json:"interruptions"`
	// Questions an agent may put in one attempt before it counts as used.
	Questions int `json:"questions"`
}

// Most is how many attempts a loop may make where every one of them is red.
func (l Limits) Most() int {
	if l.Fixes > 0 {
		return min(l.MaxIterations, l.Fixes+1)
	}
	return l.MaxIterations
}

// DefaultLimits are seed 004's for `ralph run`.
func DefaultLimits() Limits {
	const m = time.Minute
	return Limits{
		MaxIterations: 5,
		Attempt:       Deadline{12 * m, 20 * m},
		Loop:          Deadline{45 * m, 60 * m},
		Session:       Deadline{0, 8 * time.Hour},
		ConfirmPasses: 1,
		StuckAfter:    3, MaxShifts: 2,
		Regression: 2, NoChange: 3, Plateau: 5,
		Transient: 5, BackOff: 5 * time.Second,
		Interruptions: 5, Questions: 3,
	}
}

// AgentDrivenLimits are seed 000's for a loop that an agent drives: five checks, ten
// minutes from its start, five minutes without progress. No detector but
// regression, and repeated failure where asked for, ends it.
func AgentDrivenLimits() Limits {
	l := DefaultLimits()
	l.Attempt, l.Session = Deadline{}, Deadline{}
	l.Loop, l.Stall = Deadline{Hard: 10 * time.Minute}, 5*time.Minute
	l.MaxIterations, l.Regression, l.NoChange, l.Plateau = 5, 2, 0, 0
	return l
}

// GateTimeout is the default deadline of a gate of the given kind (seed 004).
func GateTimeout(k Kind) Deadline {
	const m = time.Minute
	switch k {
	case KindReview, KindHuman:
		return Deadline{3 * m, 5 * m}
	case KindLint, KindTypes:
		return Deadline{2 * m, 3 * m}
	}
	return Deadline{5 * m, 10 * m}
}

// EndsAt is when a loop that its agent drives ends by itself if nothing
// happens: its time, or its time without progress, is over. It is zero while
// that time stands still, or where there is no limit.
func (s *State) EndsAt() time.Time {
	if s.Mode != AgentDriven || s.Status != Running || s.InVerification() {
		return time.Time{}
	}
	var until time.Time
	if hard := s.Limits.Loop.Hard; hard > 0 {
		until = s.LastAt.Add(max(hard-s.Active, 0))
	}
	if stall := s.Limits.Stall; stall > 0 {
		if at := s.LastAt.Add(max(stall-(s.Active-s.ProgressActive), 0)); until.IsZero() || at.Before(until) {
			until = at
		}
	}
	return until
}
