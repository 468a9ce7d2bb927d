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
	Store *store.Store
	Admit store.Admission
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

// Read returns one loop.
func (s Loops) Read(ctx context.Context, id string) (engine.Stored[loop.State], error) {
	r, err := s.Store.Read(ctx, id)
	return recorded(s.Store, r), situation.Of(err)
}

// List returns the newest first.
func (s Loops) List(ctx context.Context, f engine.Filter) ([]engine.Stored[loop.State], error) {
	all, err := s.Store.List(ctx, store.Filter(f))
	return allRecorded(s.Store, all), situation.Of(err)
}

// Count returns how many a list without a limit has.
func (s Loops) Count(ctx context.Context, f engine.Filter) (int, error) {
	n, err := s.Store.Count(ctx, store.Filter(f))
	return n, situation.Of(err)
}

func recorded[S any](s *store.Store, r store.Record[S]) engine.Stored[S] {
	return engine.Stored[S]{
		State: r.State, Spec: r.Spec, Epoch: r.Epoch, Seq: r.Seq, Owner: r.Owner.String(), Process: Process(r.Owner),
		Live: r.Live, Rebooted: s.Rebooted(r.Owner), Archived: r.Archived, Damage: r.Damage, Updated: r.Updated, Recovery: r.Recovery,
	}
}

func allRecorded[S any](s *store.Store, all []store.Record[S]) []engine.Stored[S] {
	out := make([]engine.Stored[S], len(all))
	for i, r := range all {
		out[i] = recorded(s, r)
	}
	return out
}

// Resolve returns the id of a loop, of which name may be the beginning.
func (s Loops) Resolve(ctx context.Context, prefix string) (string, error) {
	id, err := s.Store.Resolve(ctx, prefix)
	return id, situation.Of(err)
}

// Events returns the next ones after a number.
func (s Loops) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	rows, err := s.Store.Events(ctx, id, after, engine.EventPage)
	return records(rows, loop.Decode), situation.Of(err)
}

func records[E journal.Event](rows []store.Event, decode func(string, []byte) (E, error)) []engine.Event {
	out := make([]engine.Event, len(rows))
	for i, r := range rows {
		out[i] = engine.Decode(engine.Event{Seq: r.Seq, Epoch: r.Epoch, At: r.At, Name: r.Name, Data: r.Data}, decode)
	}
	return out
}

// Send puts a message into a loop's inbox.
func (s Loops) Send(ctx context.Context, id string, m journal.Message) error {
	return situation.Of(s.Store.Send(ctx, id, m))
}

// Unread reports whether a message waits for the owner of a loop that has not ended.
func (s Loops) Unread(ctx context.Context, id string) (bool, error) {
	waits, err := s.Store.Unread(ctx, id)
	return waits, situation.Of(err)
}

// Archive hides a loop that has ended.
func (s Loops) Archive(ctx context.Context, id string) error {
	return situation.Of(s.Store.Archive(ctx, id))
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
