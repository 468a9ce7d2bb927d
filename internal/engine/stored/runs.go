package stored

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/journal"
	"ralph/internal/store"
)

// source is one kind of run in the database.
type source[S any] interface {
	Read(ctx context.Context, id string) (store.Record[S], error)
	List(ctx context.Context, f store.Filter) ([]store.Record[S], error)
	Count(ctx context.Context, f store.Filter) (int, error)
	Resolve(ctx context.Context, prefix string) (string, error)
	Events(ctx context.Context, id string, after int64, limit int) ([]store.Event, error)
	Send(ctx context.Context, id string, m journal.Message) error
	Unread(ctx context.Context, id string) (bool, error)
	Archive(ctx context.Context, id string) error
}

// runs are the runs of one kind in a store, in the engine's terms.
type runs[S any, E journal.Event] struct {
	Store  *store.Store
	of     source[S]
	decode func(name string, data []byte) (E, error)
}

// Read returns one run.
func (r runs[S, E]) Read(ctx context.Context, id string) (engine.Stored[S], error) {
	row, err := r.of.Read(ctx, id)
	return r.engines(row), situation.Of(err)
}

// List returns the newest loops first, and the plan first that changed last.
func (r runs[S, E]) List(ctx context.Context, f engine.Filter) ([]engine.Stored[S], error) {
	rows, err := r.of.List(ctx, store.Filter(f))
	all := make([]engine.Stored[S], len(rows))
	for i, row := range rows {
		all[i] = r.engines(row)
	}
	return all, situation.Of(err)
}

func (r runs[S, E]) engines(row store.Record[S]) engine.Stored[S] {
	return engine.Stored[S]{
		State: row.State, Spec: row.Spec, Epoch: row.Epoch, Seq: row.Seq, Owner: row.Owner.String(), Process: Process(row.Owner),
		Live: row.Live, Rebooted: r.Store.Rebooted(row.Owner), Archived: row.Archived, Damage: row.Damage, Updated: row.Updated, Recovery: row.Recovery,
	}
}

// Count returns how many a list without a limit has.
func (r runs[S, E]) Count(ctx context.Context, f engine.Filter) (int, error) {
	n, err := r.of.Count(ctx, store.Filter(f))
	return n, situation.Of(err)
}

// Resolve returns the id of a run, of which name may be the beginning.
func (r runs[S, E]) Resolve(ctx context.Context, prefix string) (string, error) {
	id, err := r.of.Resolve(ctx, prefix)
	return id, situation.Of(err)
}

// Events returns the next ones after a number.
func (r runs[S, E]) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	rows, err := r.of.Events(ctx, id, after, engine.EventPage)
	all := make([]engine.Event, len(rows))
	for i, row := range rows {
		all[i] = engine.Decode(engine.Event{Seq: row.Seq, Epoch: row.Epoch, At: row.At, Name: row.Name, Data: row.Data}, r.decode)
	}
	return all, situation.Of(err)
}

// Send puts a message into a run's inbox.
func (r runs[S, E]) Send(ctx context.Context, id string, m journal.Message) error {
	return situation.Of(r.of.Send(ctx, id, m))
}

// Unread reports whether a message waits for the owner of a run that has not ended.
func (r runs[S, E]) Unread(ctx context.Context, id string) (bool, error) {
	waits, err := r.of.Unread(ctx, id)
	return waits, situation.Of(err)
}

// Archive hides a run.
func (r runs[S, E]) Archive(ctx context.Context, id string) error {
	return situation.Of(r.of.Archive(ctx, id))
}
