package engine

import (
	"context"
	"time"

	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// Store keeps the runs of one kind, loops or plans: it is what driving a run needs
// of the place where runs live. S is the state of the kind's machine, E its events,
// L the lease. Its errors are those of this package.
//
// It is small on purpose: a database with kernel locks can keep it, and so can a
// service of durable workflows with one entity a run. What belongs to one machine
// (evidence files, worktrees, views) is no part of it, and neither is a decision:
// the machines decide.
type Store[S any, E journal.Event, L Lease[S, E]] interface {
	// Create records a new run as first and acquires it. ErrExists: there is a run
	// of this id; an archived plan whose record is damaged makes room. Spec is the
	// request in the engine's own encoding.
	Create(ctx context.Context, first S, spec []byte) (L, error)
	// Acquire returns the lease of a run, whatever its status. ErrRunning: a
	// living owner has it, and takeOver is not set. An archived plan is listed again; an
	// archived loop is ErrEnded. A spec that is not empty replaces the recorded one. When it returns, the former owner can commit
	// nothing more.
	Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (L, error)

	// Read returns one run, as of the last commit. ErrNotFound: there is none.
	Read(ctx context.Context, id string) (Stored[S], error)
	// List returns the newest first: the loop that was created last, the plan that changed
	// last.
	List(ctx context.Context, f Filter) ([]Stored[S], error)
	// Count returns how many runs a list without a limit has.
	Count(ctx context.Context, f Filter) (int, error)
	// Resolve returns the id that a prefix stands for: an id for itself, else the
	// beginning of an id for the one run in lists that has it, or the one archived run.
	// ErrNotFound: none has it, or it is empty; AmbiguousError: several have, of which
	// it names at most ten, sorted, always the first and the last.
	Resolve(ctx context.Context, prefix string) (id string, err error)
	// Events returns the next events after a number, oldest first, at most EventPage of
	// them; the first has number 1.
	Events(ctx context.Context, id string, after int64) ([]Event, error)

	// Send puts a message into a run's inbox, durably, and wakes its owner.
	Send(ctx context.Context, id string, m journal.Message) error
	// Unread reports whether the inbox of a run that has not ended holds messages that
	// no commit took. An owner asks once more after its release (see Release).
	Unread(ctx context.Context, id string) (bool, error)
	// Archive hides a run that has ended from lists.
	Archive(ctx context.Context, id string) error
}

// Stored is a run as its store has it.
type Stored[S any] struct {
	State S
	// Spec is the request of the run, as Create or Acquire got it; loops keep
	// theirs in the state.
	Spec []byte
	// Epoch is that of the newest lease, Seq the number of the newest event.
	Epoch, Seq int64
	// Owner is the last owner, for people. Process tells owners apart: two leases
	// of one process have the same.
	Owner, Process string
	// Live: the owner holds its lease.
	Live, Archived bool
	// Awaits is what a living owner cannot reach and needs before it records more; see WaitsFor.
	Awaits string
	// Rebooted: the machine of the owner was started again since.
	Rebooted bool
	// Newer is what of the record this version does not know, and would lose if it wrote
	// the record: it shows it, and acquires nothing.
	Newer string
	// Damage is what is wrong with the record. State then shows little more than the
	// name of the run, which waits for a person; the lease of such a run is refused.
	Damage  string
	Updated time.Time
	// Recovery records what supervisors did since the run last made progress.
	Recovery recovery.Restarts
}

// Gap returns why the run does not move where its next owner acquires it now; takeOver
// takes it from one that lives.
func (r Stored[S]) Gap(takeOver bool) loop.Gap {
	switch {
	case r.Live && takeOver:
		return loop.Gap{Cause: loop.GapTaken}
	case !r.Live && r.Rebooted:
		return loop.Gap{Cause: loop.GapReboot}
	}
	return loop.Gap{}
}

// LoopLease is the lease of a loop. Its agents and reviewers are paid under it, and
// its checkpoints are recorded under it.
type LoopLease interface {
	Lease[loop.State, loop.Event]
	// Found reports whether a message lay in the inbox before the lease was
	// acquired. Later ones were sent by a sender that saw this owner.
	Found(m journal.Message) bool
	// CommitReserved is Commit for the events that begin a run of the agent: every budget
	// that pays for it reserves its share, or the run is refused with a
	// *money.RefusedError and nothing counts. wall is how long the run may take; 0
	// is no bound.
	CommitReserved(ctx context.Context, next loop.State, events []loop.Event, r Reserve) (wall time.Duration, err error)
	// ReserveReview reserves for reviewers. The transition that records the end of the review
	// settles it.
	ReserveReview(ctx context.Context, r Reserve) (wall time.Duration, err error)
	// Affords returns nil where the budgets can pay for one more run, else a
	// *money.RefusedError. Balances are how they stand.
	Affords(ctx context.Context, session string) error
	Balances(ctx context.Context, session string) ([]money.Balance, error)
	// Checkpoint records one that git has. CheckpointFailed says that one could not
	// be made. Newest is the last recorded one; its number is 0 where there is none.
	Checkpoint(ctx context.Context, n int, commit, why string) error
	CheckpointFailed(ctx context.Context, why string) error
	Newest(ctx context.Context) (loop.Checkpoint, error)
}

// Reserve is what a run of an agent, or of reviewers, reserves from.
type Reserve struct {
	// Session is the budget of this process.
	Session money.Session
	// Until is when the run is over at the latest.
	Until time.Time
}

// PlanLease is the lease of a plan, which also pays for the plan's own reviews.
type PlanLease interface {
	Lease[plan.State, plan.Event]
	Ledger
}

// PlanStore keeps plans.
type PlanStore interface {
	Store[plan.State, plan.Event, PlanLease]
}

// Approvals records which commands of plans a person accepted, by their digest. A
// plan need not have been run.
type Approvals interface {
	Approve(ctx context.Context, plan, digest, by string) error
	Approved(ctx context.Context, plan, digest string) (bool, error)
}
