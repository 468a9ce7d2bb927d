package view

import (
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// stopped describes why a loop that has not ended does not run.
func stopped(s loop.State, f Facts, now time.Time) string {
	why := text.Line(message(s, f))
	switch {
	case s.Status == loop.Paused && s.Reason.OfQuota() && s.Wake.After(now):
		why = "paused; " + provider(s) + " is at its limit until " + text.Clock(s.Wake, now) + because(s.Message)
	case s.AwaitsProvider() && !s.Reason.OfQuota():
		why = unserved(s, now)
	case Status(s, f) == Crashed, s.Status == loop.Paused:
	case s.Reason == loop.Damaged:
		why = text.Line(s.Message)
	case s.Status == loop.Pending:
		why = "not started yet"
	case s.Reason == loop.Budget:
		why = waitingFor(s) + because(s.Message)
	case s.Reason == loop.ForRetry && !s.Wake.IsZero():
		why = waitingFor(s) + ", tries again at " + text.Clock(s.Wake, now) + because(s.Message)
	case !s.Wake.IsZero():
		why = waitingFor(s) + " until " + text.Clock(s.Wake, now) + because(s.Message)
	default:
		why = waitingFor(s) + because(s.Message)
	}
	if orphaned(s, f) {
		why += "; the process that waited is gone"
	}
	if r := Recovered(f.Recovery, now); r != "" && f.Crashed {
		why += "; " + r
	}
	return why
}

// unserved describes a wait for a provider without a known end: what is awaited,
// since when, and when it is tried next.
func unserved(s loop.State, now time.Time) string {
	words := waitingFor(s)
	if !s.ProviderSince.IsZero() {
		words += " since " + text.Clock(s.ProviderSince, now)
	}
	if !s.Wake.IsZero() {
		words += ", next try " + text.Clock(s.Wake, now)
	}
	return words + because(s.Message)
}

// provider names the account that a loop's agent uses.
func provider(s loop.State) string {
	words := "the provider of " + agentName(s.Agent)
	if s.Agent.Account != "" {
		words += " (account " + text.Line(s.Agent.Account) + ")"
	}
	return words
}

func waitingFor(s loop.State) string {
	switch r := s.Reason; r {
	case loop.ForLimit:
		return "for " + provider(s)
	case loop.ForKeep:
		return "for the usage window of " + strings.TrimPrefix(provider(s), "the provider of ") + " to reset"
	case loop.ForQuiet:
		return "for the end of quiet hours"
	case loop.ForThrottle:
		return "for " + provider(s) + ", which throttles,"
	case loop.ForDown:
		return "for " + provider(s) + ", which is down,"
	case loop.ForLogin:
		return "for a login: " + provider(s) + " refuses it"
	case loop.ForRetry:
		return "after a temporary error"
	case loop.Budget:
		return "for room in a budget"
	case loop.ForLock:
		return "for something that another process holds"
	default:
		return "for " + text.Line(string(r))
	}
}
