package view

import (
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/next"
	"ralph/internal/recovery"
	"ralph/internal/text"
)

// Facts are observations beyond the recorded state.
type Facts struct {
	// Crashed: the loop is running, but its owner is gone.
	Crashed bool
	// Archived: its files were moved to the archive. It is no status.
	Archived bool
	// EvidenceFile is the archive with the files of its attempts; empty while they are
	// not packed.
	EvidenceFile string
	// Changed are files of its evidence that are missing or not as they were recorded.
	Changed []string
	// Live: an owner holds the loop now; Owner names it.
	Live  bool
	Owner string
	// Awaits is what a live loop waits for: a worker of a team, what that cannot reach, or room
	// on a disk; empty: nothing.
	Awaits string
	// History are all attempts, the oldest first. Without it the newest ones are
	// shown, which the state holds.
	History []loop.Attempt
	// Overlaps are other active loops with a scope in common.
	Overlaps []Overlap
	// Budgets are those that the loop is paid from.
	Budgets []money.Balance
	// Recovery records the restarts of the crashed run since it last made progress.
	Recovery recovery.Restarts
}

// attempts returns all attempts of a loop, as far as the caller read them.
func (f Facts) attempts(s loop.State) []loop.Attempt {
	if f.History != nil {
		return f.History
	}
	return s.Recent
}

// earlier counts the attempts that the caller did not read.
func (f Facts) earlier(s loop.State) int {
	if f.History != nil {
		return 0
	}
	n, _ := s.Judged()
	for _, a := range s.Recent {
		if a.Verdict != "" {
			n--
		}
	}
	return max(n, 0)
}

// Item is a loop with its facts.
type Item struct {
	State loop.State
	Facts Facts
}

// Run is what the loop has in common with a plan.
func (i Item) Run(now time.Time) Run {
	s, f := i.State, i.Facts
	r := i.key()
	r.Title, r.Driven, r.Message = s.Task.Text, s.Mode == loop.AgentDriven, message(s, f)
	r.Live, r.Crashed, r.Archived, r.PauseAsked = f.Live, f.Crashed, f.Archived, s.PauseAsked
	r.Progress, r.Since, r.Agent = progress(s), since(s), s.Agent.Name
	r.Cost = costOfLoop(s)
	r.Clash = s.Conflict()
	r.Question, r.Details, r.Next, r.marked = s.Open(), details(i, now), i.next(), s.Reason
	if r.Question != nil {
		r.Asks = 1
	}
	return r
}

// next returns the command to type now; empty while the loop runs by itself.
func (i Item) next() string {
	command := next.Loop(i.State, next.Facts{Live: i.Facts.Live, Crashed: i.Facts.Crashed})
	if i.Facts.Archived && command == next.Archive(i.State.ID) {
		return ""
	}
	return command
}

// key is the part of the run that its place in a list depends on.
func (i Item) key() Run {
	s := i.State
	r := Run{ID: s.ID, Status: Status(s, i.Facts), Reason: s.Reason, StartedAt: s.StartedAt, EndedAt: s.EndedAt, Group: i.group()}
	if s.InPlan() {
		r.Of = s.Parent
	}
	return r
}

// sorted is the one order of every list.
func sorted[T interface{ key() Run }](items []T) []T {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b T) int { return byUrgency(a.key(), b.key()) })
	return items
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

// working describes what a running loop does now, or what it waits for.
func (i Item) working() string {
	if i.Facts.Awaits != "" {
		return text.Line(i.Facts.Awaits)
	}
	return doing(i.State)
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
	case loop.DoProve:
		return "running the gates without the product changes"
	case loop.DoVerify:
		return "preparing the final verification"
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

// Told describes a loop that does not run, in one line.
func Told(s loop.State, f Facts, now time.Time) string { return stopped(s, f, now) }

// orphaned reports whether the loop waits for a time and its process, which would
// wake it, is gone.
func orphaned(s loop.State, f Facts) bool {
	return f.Crashed && s.Status == loop.Waiting
}

// ownerless reports whether the loop rests only because no process runs it, as after an
// answer that nothing continued: a user resumes it.
func ownerless(s loop.State, f Facts) bool {
	return s.Ownerless() && !f.Live
}

// since returns the time whose age a list shows.
func since(s loop.State) time.Time {
	switch {
	case !s.EndedAt.IsZero():
		return s.EndedAt
	case s.Status == loop.Running:
		return s.StartedAt
	}
	return s.LastAt
}
