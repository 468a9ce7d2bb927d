package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// The errors that callers distinguish.
var (
	ErrNotFound = errors.New("no such loop or plan")
	ErrSameTask = errors.New("another loop of this task is unfinished")
	ErrExists   = errors.New("a loop or plan with this id exists")
	ErrRunning  = errors.New("another process runs it")
	ErrFenced   = errors.New("another owner took it over")
	// ErrNotRunning is returned for a message that only the process of a run can use.
	ErrNotRunning = errors.New("no process runs it")
	// ErrNotNow is returned when nothing is wrong and a later try may succeed.
	ErrNotNow = errors.New("not now")
	ErrEnded  = errors.New("the run has ended")
	// ErrDamaged is returned for a run whose record is damaged; see Stored.Damage.
	ErrDamaged  = errors.New("its record is damaged")
	ErrNotEnded = errors.New("it has not ended")
	// ErrNothingUnkept is returned where the work of a loop is to be dropped, and no
	// worktree holds any that stands on no branch.
	ErrNothingUnkept = errors.New("no worktree holds work of it that stands on no branch")
	// ErrOtherWork is returned where work is to be accepted that was looked at, and
	// the run has other work now.
	ErrOtherWork = errors.New("the work is not what was looked at")
	// ErrNotPassed is returned where only a loop that passed, or a plan that is
	// complete, can be accepted.
	ErrNotPassed = errors.New("only what passed can be accepted")
	ErrCycle     = errors.New("this loop would wait for itself")
	// ErrAnswered is returned instead of a default when an answer waits in the inbox.
	ErrAnswered = errors.New("the question was answered")
	// ErrDriven is returned for an agent-driven loop where a supervised one is
	// needed, ErrSupervised for the opposite.
	ErrDriven     = errors.New("the loop is driven by its agent")
	ErrSupervised = errors.New("the loop is run by ralph, not driven by an agent")
	// ErrNotShared is returned for what does not work with loops of a team.
	ErrNotShared = errors.New("this does not work with --engine yet")
	// ErrAway is returned where a team's server does not answer. Nothing is known of what
	// was asked.
	ErrAway = errors.New("the server does not answer")
	// ErrNewer is returned where a newer version wrote a record: this one would lose what it
	// does not know.
	ErrNewer = errors.New("a newer ralph wrote its record; install the same version here")
	// ErrKey is returned where the key that encrypts what a team's server stores is missing,
	// is not a key, or is not the one of the stored records.
	ErrKey = errors.New("key of encryption")
)

// ErrFiles is returned where the folder or object store in which a team shares files could not
// be used: it is away, is full, or refuses.
type ErrFiles struct{ Err error }

func (e ErrFiles) Error() string { return e.Err.Error() }
func (e ErrFiles) Unwrap() error { return e.Err }

// Unreached names them, and tells why.
func (e ErrFiles) Unreached() (string, error) { return "the shared files", e.Err }

// RefusedError is the error of a machine for a command that a run cannot follow now.
type RefusedError = journal.RefusedError

// ImmovableError refuses to move a run to another engine.
type ImmovableError struct {
	ID, Why string
	// Plan: the run is a plan.
	Plan bool
}

func (e *ImmovableError) Error() string {
	return fmt.Sprintf("%s %s cannot be moved: %s", noun(e.Plan), e.ID, e.Why)
}

func noun(plan bool) string {
	if plan {
		return "plan"
	}
	return "loop"
}

// AmbiguousError is returned when several runs have an id that begins with Prefix. A store names at
// most ten of them, sorted, always the first and the last.
type AmbiguousError struct {
	Prefix string
	IDs    []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q could be %s", e.Prefix, strings.Join(e.IDs, ", "))
}

// AdmissionError refuses a loop because of those that run.
type AdmissionError struct {
	Active []string
	Max    int
	// Paths is the number of communication paths one more loop would make
	// (seed 001: n(n−1)/2).
	Paths int
	// Parent is the orchestration whose own limit it is; "" is the repository.
	Parent string
	Err    error
}

func (e *AdmissionError) Error() string {
	band := ""
	if b := loop.BandOf(len(e.Active) + 1); e.Parent == "" {
		band = fmt.Sprintf(" (%s loops: %s)", b.Range(), b.Word)
	}
	return fmt.Sprintf("%v%s: %s", e.Err, band, strings.Join(e.Active[:min(len(e.Active), 10)], ", "))
}
func (e *AdmissionError) Unwrap() error { return e.Err }

// Hint returns advice for the user. Paused loops hold no place. From 8
// loops upwards insisting is no advice (seed 001).
func (e *AdmissionError) Hint() string {
	const other = "OTHER"
	room := "let one finish, end one (" + next.Abort(other) + ") or pause one (" + next.Pause(other) + ")"
	switch n := len(e.Active) + 1; {
	case e.Parent != "":
		return room
	case loop.BandOf(n).To == 0:
		return room + "; so many loops work better in groups with a parent of their own: ralph advise"
	}
	return room + ", or insist with --force"
}

// The situations of artifacts.
var (
	ErrNoArtifact      = errors.New("no such artifact")
	ErrLargeArtifact   = errors.New("the file is too large to be published")
	ErrChangedArtifact = errors.New("the published copy was changed: it cannot be relied on")
)

// NotGreenError: the work merges, but its result does not pass.
type NotGreenError struct {
	// Red are the results that block it.
	Red []loop.Result
}

func (e *NotGreenError) Error() string {
	gate, why := e.red()
	if gate == "" {
		return "the merged result does not pass"
	}
	return fmt.Sprintf("the merged result does not pass: %s: %s", gate, why)
}

// red is the first gate that does not pass, and why.
func (e *NotGreenError) red() (gate, why string) {
	if len(e.Red) == 0 {
		return "", ""
	}
	told := e.Red[0].ForAgents()
	why = told.Reason
	if last := text.LastLine(told.Excerpt, 200); last != "" {
		why += ": " + last // nothing else of this run is kept
	}
	return told.Gate, why
}

// Clash is what a merge with a branch, at the commit onto, met.
func (e *NotGreenError) Clash(branch, onto, work string) loop.Clash {
	gate, why := e.red()
	return loop.RedClash(branch, onto, work, cmp.Or(gate, "gates"), why)
}

// ConflictError is returned where the work of a run cannot be merged into the user's
// branch, which changes the same files differently, or whose gates do not pass on the
// merge. Nothing was merged.
type ConflictError struct {
	Run string
	// Plan: the run is a plan.
	Plan bool
	// Branch is the one with the work.
	Branch string
	loop.Clash
	// Red: the merge is whole, and does not pass; nil is a conflict of files.
	Red *NotGreenError
}

func (e *ConflictError) Error() string {
	if e.Red != nil {
		return e.Red.Error()
	}
	return e.Branch + " " + e.String()
}

// RecordConflict records the conflict that an error is about, unless it was recorded last
// for the same commits. It returns the error.
func RecordConflict(err error, last *loop.Clash, record func(loop.Clash) error) error {
	met, ok := errors.AsType[*ConflictError](err)
	if !ok || met.Same(last) {
		return err
	}
	return errors.Join(err, record(met.Clash))
}

// Unwrap returns the error of the gates, if it was theirs.
func (e *ConflictError) Unwrap() error {
	if e.Red == nil {
		return nil
	}
	return e.Red
}

// Hint names the ways out.
func (e *ConflictError) Hint() string {
	hint := "nothing was merged; " + next.MergeYourself(e.Clash, e.Run, e.Branch)
	if !e.Plan {
		hint += "; or have the task done again from where " + e.Clash.Branch + " is now: " + next.Retry(e.Run)
	}
	return hint
}

// ErrDetached: there is no branch to bring the work to.
var ErrDetached = errors.New("no branch is checked out")

// ErrNoCheckpoint: the loop has none of this number.
var ErrNoCheckpoint = errors.New("no such checkpoint")

// ErrNested is returned because content that an agent left in repositories of
// its own is in no commit of ours, and would be lost.
var ErrNested = errors.New("the worktree holds a git repository of its own, whose files no commit holds; move it away first")
