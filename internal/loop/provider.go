package loop

import (
	"fmt"
	"time"
)

// Health is why an account's provider did not serve a run of its agent. Empty
// means that it served, or that the agent's driver cannot tell.
type Health string

// The kinds of trouble with a provider.
const (
	Limited   Health = "limited"   // the account's usage limit is spent
	Throttled Health = "throttled" // too many requests: 429, 529
	Down      Health = "down"      // 5xx, no connection, no answer
	NoLogin   Health = "no_login"  // 401, 403: only a person can fix it
)

// Reason returns the reason code of a loop that waits because of it.
func (h Health) Reason() Reason {
	switch h {
	case Throttled:
		return ForThrottle
	case Down:
		return ForDown
	case NoLogin:
		return ForLogin
	}
	return ForLimit
}

// OfProvider reports whether a loop with this reason waits for its agent's
// provider. Such a wait uses neither an attempt nor a retry.
func (r Reason) OfProvider() bool {
	return r.OfQuota() || r == ForThrottle || r == ForDown || r == ForLogin
}

// OfQuota reports whether a loop with this reason waits for usage that its account
// may have again: a limit is spent, or what is left of one is the user's.
func (r Reason) OfQuota() bool { return r == ForLimit || r == ForKeep }

// AwaitsStart reports whether the loop waits for a time at which its agent may be
// started: the provider does not serve before, or these are quiet hours.
func (s State) AwaitsStart() bool {
	return s.AwaitsProvider() || s.Status == Waiting && s.Reason == ForQuiet
}

// AwaitsProvider reports whether the loop waits for its agent's provider.
func (s State) AwaitsProvider() bool { return s.Status == Waiting && s.Reason.OfProvider() }

// Unhealthy returns the trouble with the provider that ended a run; empty where it
// served. A limit is one in records of older versions too, which do not name it.
func (o Outcome) Unhealthy() Health {
	switch o.End {
	case EndLimit:
		return Limited
	case EndTransient, EndPermanent:
		return o.Provider
	}
	return ""
}

// Served reports whether the run shows that the account's provider serves.
func (o Outcome) Served() bool {
	return o.Unhealthy() == "" && o.End != EndTransient && o.End != EndPermanent
}

// loginTimes is how much rarer than other accounts one without a login is tried:
// a person has to act first.
const loginTimes = 60

// Probe returns the time before the n-th try of an account whose provider names
// no time: the back-off, doubled each time, at most an hour.
func (l Limits) Probe(h Health, n int) time.Duration {
	if h == NoLogin {
		l.BackOff = loginTimes * max(l.BackOff, time.Second)
	}
	return l.Delay(n)
}

// Trouble is what a provider refused, with what a person can do about it.
func Trouble(message, fix string) string {
	if fix == "" {
		return message
	}
	return message + "; log in: " + fix
}

// unserved waits for the account's next probe: the one that all loops of the
// account share, the time that the provider named, or a time that doubles.
func (s *State) unserved(at time.Time, out Outcome) {
	health := out.Unhealthy()
	wake := out.RetryAt
	if !wake.After(at) {
		wake = out.ResetAt
	}
	if !wake.After(at) {
		wake = at.Add(s.Limits.Probe(health, s.Last().Interruptions))
	}
	s.pauseAtLimit(health.Reason())
	s.backOff(health.Reason(), s.withinWait(at, wake), Trouble(out.Message, out.Fix))
	s.askAtLimit(at)
}

// withinWait cuts a wait to what is left of Limits.Wait.
func (s *State) withinWait(at, wake time.Time) time.Time {
	if s.Limits.Wait <= 0 {
		return wake
	}
	if end := at.Add(remaining(s.Limits.Wait, s.LimitWait)); end.Before(wake) {
		return end
	}
	return wake
}

// waitedEnough ends a loop that has waited for its provider for as long as a
// person allows.
func (s *State) waitedEnough(at time.Time, cause string) bool {
	if s.Limits.Wait <= 0 || s.LimitWait < s.Limits.Wait {
		return false
	}
	s.conclude(at, StatusFailed, AgentError, because(fmt.Sprintf("waited %s for the agent's provider (limits.wait)", s.Limits.Wait), cause))
	return true
}
