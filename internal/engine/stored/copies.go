package stored

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Copies are the loops of this machine's database with the numbers that their events have on
// a server: each journal of the database begins with the event "created", which no server has
// and which has the number 0 here.
type Copies struct{ Store *store.Store }

// Read returns one loop.
func (s Copies) Read(ctx context.Context, id string) (engine.Stored[loop.State], error) {
	r, err := LoopsOf(s.Store).Read(ctx, id)
	r.Seq--
	return r, err
}

// Events returns the next ones after a number.
func (s Copies) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	page, err := LoopsOf(s.Store).Events(ctx, id, after+1)
	for i := range page {
		page[i].Seq--
	}
	return page, err
}

// Acquire returns the lease of a loop, whatever its status.
func (s Copies) Acquire(ctx context.Context, id string, takeOver bool) (Copy, error) {
	l, err := s.Store.Acquire(ctx, id, takeOver)
	return Copy{l}, situation.Of(err)
}

// CreateMoved records a loop of a server whose record is copied here, and acquires it.
func (s Copies) CreateMoved(ctx context.Context, first, now loop.State) (Copy, error) {
	l, err := s.Store.CreateMoved(ctx, first, now)
	return Copy{l}, situation.Of(err)
}

// Copy is the lease of a loop of this machine, with the numbers of a server.
type Copy struct{ *store.LoopLease }

var _ engine.Lease[loop.State, loop.Event] = Copy{}

// Seq is the number of the newest event.
func (l Copy) Seq() int64 { return l.LoopLease.Seq() - 1 }

// Commit records a transition.
func (l Copy) Commit(ctx context.Context, next loop.State, events []loop.Event, took ...int64) error {
	return situation.Of(l.LoopLease.Commit(ctx, next, events, took...))
}

// CommitCopied records an event of the server, which leads to next. What an agent or reviewers
// used counts against the budget of the loop, which reserves it as it did elsewhere.
func (l Copy) CommitCopied(ctx context.Context, next loop.State, event loop.Event) error {
	reserve := store.Reserve{Until: event.When()}
	switch e := event.(type) {
	case loop.AttemptBegan:
		if _, err := l.CommitReserved(ctx, next, []loop.Event{e}, reserve); err == nil {
			return nil
		}
	case loop.GateEnded:
		if len(e.Result.Spent) > 0 {
			_, _ = l.ReserveReview(ctx, reserve)
		}
	}
	return l.Commit(ctx, next, []loop.Event{event})
}
