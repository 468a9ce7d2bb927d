package view

import (
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/recovery"
	"ralph/internal/text"
)

// Facts are observations beyond the recorded state.
type Facts struct {
	// Crashed: the loop is running, but its owner is gone.
	Crashed bool
	// Archived: its files were moved to the archive. It is no status.
	Archived bool
	// Live: an owner holds the loop now; Owner names it.
	Live  bool
	Owner string
	// History are all attempts, the oldest first. Without it the newest ones are
	// shown, which the state holds.
	History []loop.Attempt
	// Overlaps are other active loops with a scope in common.
	Overlaps []Overlap
	// Budgets are those that the loop is paid from.
	Budgets []money.Balance
	// Recovery records the restarts of the crashed run since it last made progress.
	Recovery recovery.Record
}

// attempts returns all attempts of a loop, as far as the caller read them.
func (f Facts) attempts(s loop.State) []loop.Attempt {
	if f.History != nil {
		return f.History
	}
	return s.Recent
}

// Item is a loop with its facts.
type Item struct {
	State loop.State
	Facts Facts
}

// Crashed is the status shown for a running loop whose owner is gone.
const Crashed loop.Status = "crashed"

// Status is the state's own, or Crashed.
func Status(s loop.State, f Facts) loop.Status {
	if f.Crashed && (s.Status == loop.Running || s.Status == loop.Pending) {
		return Crashed
	}
	return s.Status
}

// doing describes what a running loop does now.
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

// stopped describes why a loop that has not ended does not run.
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
	if orphaned(s, f) {
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

// Told describes a loop that does not run, in one line.
func Told(s loop.State, f Facts, now time.Time) string { return stopped(s, f, now) }

// RecoveryObject records the restarts of a crashed run since it last made progress.
type RecoveryObject struct {
	// Tries counts how often it was resumed; Left: it is not tried again.
	Tries  int        `json:"tries"`
	LastAt *time.Time `json:"last_at"`
	// NextAt: no other try comes before.
	NextAt *time.Time `json:"next_at"`
	Left   bool       `json:"left"`
	// Why the last try did not help, as far as known.
	Why string `json:"why"`
}

func recoveryObject(r recovery.Record) *RecoveryObject {
	if r == (recovery.Record{}) {
		return nil
	}
	o := &RecoveryObject{Tries: r.Tries, LastAt: timeOrNull(r.Last), Left: r.Left, Why: r.Why}
	if !r.Left {
		o.NextAt = timeOrNull(r.Next)
	}
	return o
}

// Recovered describes what supervisors did, in one line.
func Recovered(r recovery.Record, now time.Time) string {
	words := ""
	switch {
	case r.Left:
		words = fmt.Sprintf("resumed %s and crashed each time; left for you", often(r.Tries))
	case r.Tries > 0 && r.Next.After(now):
		words = fmt.Sprintf("resumed %s; the next try is not before %s", often(r.Tries), text.Clock(r.Next, now))
	case r.Tries > 0:
		words = fmt.Sprintf("resumed %s", often(r.Tries))
	default:
		return text.Line(r.Why)
	}
	return words + because(r.Why)
}

func often(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// orphaned reports whether the loop waits for a time and its process, which would
// wake it, is gone.
func orphaned(s loop.State, f Facts) bool {
	return f.Crashed && s.Status == loop.Waiting
}
