package stored

import (
	"context"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Loops are the loops of a store. Admit are the conditions under which Create and
// Acquire let one more loop run.
type Loops struct {
	runs[loop.State, loop.Event]
	Admit store.Admission
}

// LoopsOf are the loops of a store, of which any number may run.
func LoopsOf(s *store.Store) Loops {
	return Loops{runs: runs[loop.State, loop.Event]{Store: s, of: s, decode: loop.Decode}}
}

var _ engine.Store[loop.State, loop.Event, LoopLease] = Loops{}

// Create records a new loop and acquires it.
func (s Loops) Create(ctx context.Context, first loop.State, _ []byte) (LoopLease, error) {
	l, err := s.Store.Create(ctx, first, s.Admit)
	return LoopLease{LoopLease: l}, situation.Of(err)
}

// Acquire returns the lease of a loop that no agent drives.
func (s Loops) Acquire(ctx context.Context, id string, _ []byte, takeOver bool) (LoopLease, error) {
	l, err := s.Store.AcquireToRun(ctx, id, takeOver, s.Admit)
	return LoopLease{LoopLease: l}, situation.Of(err)
}

// LoopLease is the lease of a loop with the engine's errors. Worktrees are acquired
// under the lease of the store itself.
type LoopLease struct {
	*store.LoopLease
	// shared is the lease on the server where the loop is one of Shared; nil elsewhere.
	shared *sharedLease
}

var _ engine.LoopLease = LoopLease{}

// Commit records a transition.
func (l LoopLease) Commit(ctx context.Context, next loop.State, events []loop.Event, took ...int64) error {
	if l.shared != nil {
		return l.commitBoth(ctx, next, events, took)
	}
	return situation.Of(l.LoopLease.Commit(ctx, next, events, took...))
}

// Owned returns nil while the loop is still ours.
func (l LoopLease) Owned(ctx context.Context) error {
	if l.shared != nil {
		return l.ownedBoth(ctx)
	}
	return situation.Of(l.LoopLease.Owned(ctx))
}

// Inbox lists the messages that no commit took.
func (l LoopLease) Inbox(ctx context.Context) ([]journal.Message, error) {
	if l.shared != nil {
		return l.inboxOfBoth(ctx)
	}
	all, err := l.LoopLease.Inbox(ctx)
	return all, situation.Of(err)
}

// CommitReserved is Commit with a reservation.
func (l LoopLease) CommitReserved(ctx context.Context, next loop.State, events []loop.Event, r engine.Reserve) (time.Duration, error) {
	if l.shared != nil {
		return l.beginBoth(ctx, next, events, reserve(r))
	}
	wall, err := l.LoopLease.CommitReserved(ctx, next, events, reserve(r))
	return wall, situation.Of(err)
}

// ReserveReview reserves for reviewers.
func (l LoopLease) ReserveReview(ctx context.Context, r engine.Reserve) (time.Duration, error) {
	if l.shared != nil {
		return l.reviewBoth(ctx, reserve(r))
	}
	wall, err := l.LoopLease.ReserveReview(ctx, reserve(r))
	return wall, situation.Of(err)
}

func reserve(r engine.Reserve) store.Reserve {
	return store.Reserve{Session: r.Session, Until: r.Until}
}

// ForgetRecovery drops the record of tries by supervisors.
func (l LoopLease) ForgetRecovery(ctx context.Context) error {
	return situation.Of(l.LoopLease.ForgetRecovery(ctx))
}
