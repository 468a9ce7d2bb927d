package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Runs are the verbs of one kind of run: of loops, or of plans. Both kinds are
// durable entities with a machine, a journal, a lease and an inbox; they
// differ in the request (Spec), the state (State) and the full record (Run).
type Runs[Spec, State, Run any] interface {
	// Start records a new run and drives it until it stops by itself: it has
	// ended, is paused, or waits for a person. A plan that was run before
	// continues where it was.
	Start(ctx context.Context, spec Spec, o Options, d Drive) (State, error)
	// Resume acquires a run that no process drives, and drives it.
	Resume(ctx context.Context, id string, o Options, d Drive) (State, error)
	// Send hands a command to a run. Where no process drives it, the command is
	// carried out at once, as far as it needs no agent and no gate.
	Send(ctx context.Context, id string, c Command) (State, error)

	// Find resolves an id or a unique prefix of one; of a plan also the absolute
	// path of its file.
	Find(ctx context.Context, name string) (string, error)
	Show(ctx context.Context, id string) (Run, error)
	// List returns runs, the newest first: the loop that was created last, the plan that
	// changed last.
	List(ctx context.Context, f Filter) ([]Run, error)
	// Marks returns the runs of a list, in its order, without their states: a
	// caller that polls asks for these, and then only for the runs that
	// changed.
	Marks(ctx context.Context, f Filter) ([]Mark, error)
	// Count returns how many runs a list without a limit has.
	Count(ctx context.Context, f Filter) (int, error)
	// Events returns the next events after a sequence number, the oldest first, at most
	// EventPage of them; none are left where there is none.
	Events(ctx context.Context, id string, after int64) ([]Event, error)

	// Accept merges the work of a run that passed into the branch that is checked
	// out.
	Accept(ctx context.Context, id string, o AcceptOptions) (Accepted, error)
	// Archive hides a run that has ended.
	Archive(ctx context.Context, id string) error
}

// Loops are the loops of a repository.
type Loops interface {
	Runs[loop.Spec, loop.State, Loop]

	// Init records an agent-driven loop: no process runs it between two checks,
	// and its clock starts now.
	Init(ctx context.Context, spec loop.Spec, o Options) (Loop, error)
	// Check evaluates the gates of such a loop once, in the repository's tree
	// that holds dir ("" is the caller's), and records the results. A loop that
	// has ended, waits or is paused is returned as it is.
	Check(ctx context.Context, id, dir string) (Loop, error)
	// Complete adds to listed loops what Show has besides: their history, and which files of
	// their evidence have changed.
	Complete(ctx context.Context, all []Loop) error
	// RecordDue records what is due on agent-driven loops: the end of their time, of
	// their progress, or of a wait.
	RecordDue(ctx context.Context) error
	// Checkpoints of a loop, the oldest first.
	Checkpoints(ctx context.Context, id string) ([]loop.Checkpoint, error)
	// Integrate merges the work of a passed loop into the commit onto, and evaluates its
	// gates on the result; where onto is the base of the work, that is the work as it is.
	// commit is the work: the loop's own commit, or one with the same content and another
	// history. No branch moves.
	Integrate(ctx context.Context, id, commit, onto string) (Integrated, error)
	// Evaluate runs the hard gates of a loop that has ended on another commit.
	Evaluate(ctx context.Context, id, commit string) ([]loop.Result, error)
	// AcceptedWithPlan records that the work of a passed loop was accepted with the plan it
	// belongs to. Repeating it changes nothing.
	AcceptedWithPlan(ctx context.Context, id string, done Accepted) error
	// Clean removes data that is not needed any more.
	Clean(ctx context.Context, o CleanOptions) (Cleaned, error)
}

// Plans are the runs of plans of a repository.
type Plans interface {
	Runs[PlanSpec, plan.State, Plan]
}

// Options of a start or a resume. The zero value asks for nothing special.
type Options struct {
	// Max loops at once in one repository; Force starts one more anyway. A loop
	// that was paused or has crashed needs admission again.
	Max   int
	Force bool
	// PerParent is how many loops of one orchestration run at once; 0 is no
	// limit. Force does not lift it.
	PerParent int
	// Alone refuses the loop (ErrSameTask) while another one of the same task has
	// not ended.
	Alone bool

	// TakeOver acquires the run from an owner that still lives.
	TakeOver bool
	// Now ends waits for usage limits, and of a plan for reviewers, at once.
	Now bool
	// From is the number of a checkpoint to continue from; 0 continues with the
	// present content.
	From int
	// Recovery is set where recovery resumes the loop, and no person asked.
	Recovery bool

	// Retry tries the failed tasks of a plan again. Fresh forgets earlier
	// work; with Kept it stands, because the base has it.
	Retry, Fresh, Kept bool
	// Abandon, with Fresh, begins a plan anew here that was moved to a server: what was done
	// there is left.
	Abandon bool
	// TaskBudget is the budget of each loop that starts from now on in a plan
	// that is resumed; zero leaves it unchanged.
	TaskBudget loop.Amounts
}

// AcceptOptions of a merge.
type AcceptOptions struct {
	// Partly merges the landed work of a plan that has ended without passing.
	Partly bool
	// Commit is the work that was looked at: other work is refused (ErrOtherWork).
	// Empty is any.
	Commit string
	// Strategy is how the work enters the branch; empty merges it.
	Strategy Strategy
	// KeepBranches leaves the branches whose commits the branch has now.
	KeepBranches bool
}

// Holds returns ErrOtherWork if commit is not the work that was looked at, which may be
// given by the first letters of its name.
func (o AcceptOptions) Holds(commit string) error {
	if strings.HasPrefix(commit, o.Commit) {
		return nil
	}
	return fmt.Errorf("%w: that was %.10s, and now it is %.10s", ErrOtherWork, o.Commit, commit)
}

// Strategy is how accepted work enters the history of a branch.
type Strategy string

// The strategies: a fast-forward where that is possible, else a merge commit; one
// commit with the whole work; or the commits of the work, one by one.
const (
	MergeWork  Strategy = "merge"
	SquashWork Strategy = "squash"
	RebaseWork Strategy = "rebase"
)

// Drive is how a caller takes part in a run.
type Drive struct {
	// Watch is called for every transition and every heartbeat, of one run in
	// order, and must return quickly. A plan's loops call it from several
	// goroutines.
	Watch func(Update)
	// Place is where this process runs.
	Place loop.Place
	// Stops carries requests to stop: each one is more urgent.
	Stops <-chan Stop
	// Rests is set by a caller that asks a person itself, or has other things to
	// do, and resumes the run when the time for an answer is over. Without it a
	// question with a deadline is waited for.
	Rests bool
	// Drives is told each plan that this process begins to drive, those in tasks' places, too;
	// over is called when it drives the plan no more. nil is not told.
	Drives func(plan string) (over func())
}

// Stop is the urgency of a stop.
type Stop int

// Finish the step and pause; end the agent and pause, because the terminal was closed or
// for another reason; kill and pause.
const (
	AfterStep Stop = iota + 1
	HungUp
	EndAgent
	KillAgent
)

// Why returns the reason of the pause for people; empty: none to tell.
func (s Stop) Why() string {
	if s == HungUp {
		return "the terminal was closed"
	}
	return ""
}

// Kind is the command that asks another process for the same stop.
func (s Stop) Kind() CommandKind {
	if s > AfterStep {
		return PauseNow
	}
	return Pause
}

// Update is one transition of a loop or of a plan, or a heartbeat of a loop
// between two.
type Update struct {
	// Task of the plan that the loop belongs to; "" for a loop of its own.
	Task          string
	Before, After loop.State
	// Event is nil for a heartbeat; Seq is its number in the loop.
	Event     loop.Event
	Seq       int64
	Heartbeat *Heartbeat

	// Plan is a transition of a plan; the fields above are zero then.
	Plan *PlanUpdate
}

// PlanUpdate is one transition of a plan, or of a plan in a task's place.
type PlanUpdate struct {
	After plan.State
	Event plan.Event
}

// Heartbeat reports progress inside a step.
type Heartbeat struct {
	Action     loop.Action
	Since      time.Time
	LastOutput time.Time
	// Text is the newest word, tool or file of the agent; Used what it reports to
	// have used in this run.
	Text string
	Used loop.Usage
}

// Outcome is where a run stands, in the terms that loops and plans share.
type Outcome struct {
	ID, Branch string
	Status     loop.Status
	Reason     loop.Reason
	// Place is where the newest process of the run ran.
	Place loop.Place
	// Limited is set where a limit paused the run, and no person did.
	Limited bool
	// Ownerless is set where it is paused only because no process runs it, Crashed where
	// it has not ended and its process is gone.
	Ownerless, Crashed bool
	// ToolMissing is set where the loop ended because the program of a gate cannot
	// start.
	ToolMissing bool
	// Unprovable is set where it ended because no work could have passed its gates.
	Unprovable bool
	// KeptOn is the branch that keeps the work of a loop that did not pass.
	KeptOn string
}

// LoopOutcome returns the outcome of a loop.
func LoopOutcome(s loop.State) Outcome {
	return Outcome{ID: s.ID, Branch: s.Branch, Status: s.Status, Reason: s.Reason, Place: s.Place, Limited: s.Stopped(), Ownerless: s.Ownerless(), ToolMissing: s.ToolMissing(), Unprovable: s.Unprovable(), KeptOn: s.FailureRef}
}

// PlanOutcome returns the outcome of a plan. A plan is paused for a limit only
// where its rule is to pause; one that a person paused has no reason.
func PlanOutcome(s plan.State) Outcome {
	limited := s.Status == loop.Paused && (s.Reason == loop.Budget || s.Reason.OfQuota())
	return Outcome{ID: s.ID, Branch: s.Branch, Status: s.Status, Reason: s.Reason, Place: s.Place, Limited: limited}
}

// NeedsPerson reports whether the run waits for a person.
func (o Outcome) NeedsPerson() bool { return o.Status == loop.Waiting && o.Reason.NeedsPerson() }
