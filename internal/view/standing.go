package view

import (
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// doing says what a running loop does now.
func doing(s loop.State) string {
	next := loop.Next(s)
	if s.PauseAsked {
		return "pauses after this step"
	}
	switch next.Do {
	case loop.DoPrepare:
		return "preparing the worktree"
	case loop.DoAgent:
		return "agent at work"
	case loop.DoCommit:
		return "committing the work"
	case loop.DoGate, loop.DoReview:
		where := ""
		if next.OnBase {
			where = " on the commit to start from"
		}
		return "gate " + text.Line(next.Gate.Name) + where
	case loop.DoKeep:
		return "keeping the failed work on a branch"
	case loop.DoTidy:
		return "handing the worktrees back"
	}
	if s.Mode == loop.AgentDriven {
		return "driven by its agent, which asks for the next check"
	}
	return "between two steps"
}

// stopped says why a loop that is neither running nor over stands still.
func stopped(s loop.State, f Facts, now time.Time) string {
	why := text.Line(message(s, f))
	switch {
	case s.Status == loop.Paused && s.Reason == loop.ForLimit && s.Wake.After(now):
		why = "paused; the agent's provider is at its limit until " + text.Clock(s.Wake, now) + because(s.Message)
	case Status(s, f) == Crashed, s.Status == loop.Paused:
	case s.Status == loop.Pending:
		why = "not started yet"
	case s.Reason == loop.Budget:
		why = waitingFor(s.Reason) + because(s.Message)
	case !s.Wake.IsZero():
		why = waitingFor(s.Reason) + " until " + text.Clock(s.Wake, now) + because(s.Message)
	default:
		why = waitingFor(s.Reason) + because(s.Message)
	}
	if forsaken(s, f) {
		why += "; the process that waited is gone"
	}
	if r := Recovered(f.Recovery, now); r != "" && f.Crashed {
		why += "; " + r
	}
	return why
}

func waitingFor(r loop.Reason) string {
	switch r {
	case loop.ForLimit:
		return "for the agent's provider"
	case loop.ForRetry:
		return "after a passing error"
	case loop.Budget:
		return "for room in a budget"
	case loop.ForLock:
		return "for something that another process holds"
	}
	return "for " + text.Line(string(r))
}

// verdictWords sums up how a loop ended.
func verdictWords(s loop.State) string {
	if s.Status != loop.StatusPassed || s.Reason == loop.Imported {
		return text.Line(string(s.Reason)) + because(s.Message)
	}
	if s.Reason == loop.AlreadyGreen {
		return "already green before any work: " + evidence(s.BaseResults)
	}
	_, results := newestRound(s)
	return evidence(results) + " · on " + short(s.Commit)
}

// Told is what there is to know about a loop that stands still, in one line.
func Told(s loop.State, f Facts, now time.Time) string { return stopped(s, f, now) }
