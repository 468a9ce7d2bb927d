// Package stored lets engines keep their runs in the database of package store: it
// is engine.Store for loops and for plans, with the store's records and errors in the
// engine's terms.
package stored

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// Plans are the plans of a store.
type Plans struct{ Store *store.Store }

var (
	_ engine.PlanStore = Plans{}
	_ engine.Approvals = (*store.Store)(nil)
)

// Create records a new plan and acquires it. An archived one of its name whose record
// is damaged is set aside, and what it reports as done is done again.
func (p Plans) Create(ctx context.Context, first plan.State, spec []byte) (engine.PlanLease, error) {
	l, err := p.Store.Plans().Create(ctx, first, spec)
	if !errors.Is(err, store.ErrPlanExists) {
		return leased(l, err)
	}
	tasks, aside := p.Store.Plans().SetAside(ctx, first.ID)
	switch {
	case errors.Is(aside, store.ErrSound):
		return leased(nil, err)
	case aside == nil:
		first.Tasks = plan.Undone(tasks)
	case !errors.Is(aside, store.ErrNoPlan):
		return leased(nil, aside)
	}
	return leased(p.Store.Plans().Create(ctx, first, spec))
}

// Acquire returns the lease of a plan.
func (p Plans) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (engine.PlanLease, error) {
	return leased(p.Store.Plans().Acquire(ctx, id, spec, takeOver))
}

// CreateMoved records a plan whose record is copied from another store, and acquires it. Its
// journal begins with first; now is its state until the events are here.
func (p Plans) CreateMoved(ctx context.Context, first, now plan.State, spec []byte) (engine.PlanLease, error) {
	return leased(p.Store.Plans().CreateMoved(ctx, first, now, spec))
}

func leased(l *store.PlanLease, err error) (engine.PlanLease, error) {
	if err != nil {
		return nil, situation.Of(err)
	}
	return planLease{l}, nil
}

// Read returns one plan.
func (p Plans) Read(ctx context.Context, id string) (engine.Stored[plan.State], error) {
	r, err := p.Store.Plans().Read(ctx, id)
	return recorded(p.Store, r), situation.Of(err)
}

// List returns the one that changed last first.
func (p Plans) List(ctx context.Context, f engine.Filter) ([]engine.Stored[plan.State], error) {
	all, err := p.Store.Plans().List(ctx, store.Filter(f))
	return allRecorded(p.Store, all), situation.Of(err)
}

// Count returns how many a list without a limit has.
func (p Plans) Count(ctx context.Context, f engine.Filter) (int, error) {
	n, err := p.Store.Plans().Count(ctx, store.Filter(f))
	return n, situation.Of(err)
}

// Process tells an owner apart from all others, of any machine and time.
func Process(o store.Owner) string {
	if o == (store.Owner{}) {
		return ""
	}
	return fmt.Sprintf("%s/%s/%s/%d/%d", o.Host, o.Boot, o.PIDNS, o.PID, o.Start)
}

// Resolve returns the id of a plan, of which name may be the beginning.
func (p Plans) Resolve(ctx context.Context, prefix string) (string, error) {
	id, err := p.Store.Plans().Resolve(ctx, prefix)
	return id, situation.Of(err)
}

// Events returns the next ones after a number.
func (p Plans) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	rows, err := p.Store.Plans().Events(ctx, id, after, engine.EventPage)
	return records(rows, plan.Decode), situation.Of(err)
}

// Send puts a message into a plan's inbox.
func (p Plans) Send(ctx context.Context, id string, m journal.Message) error {
	return situation.Of(p.Store.Plans().Send(ctx, id, m))
}

// Unread reports whether a message waits for the owner of a plan that has not ended.
func (p Plans) Unread(ctx context.Context, id string) (bool, error) {
	waits, err := p.Store.Plans().Unread(ctx, id)
	return waits, situation.Of(err)
}

// Archive hides a plan.
func (p Plans) Archive(ctx context.Context, id string) error {
	return situation.Of(p.Store.Plans().Archive(ctx, id))
}

// planLease is the lease of a plan with the engine's errors.
type planLease struct{ *store.PlanLease }

func (l planLease) Commit(ctx context.Context, next plan.State, events []plan.Event, took ...int64) error {
	return situation.Of(l.PlanLease.Commit(ctx, next, events, took...))
}

func (l planLease) Owned(ctx context.Context) error { return situation.Of(l.PlanLease.Owned(ctx)) }

func (l planLease) Inbox(ctx context.Context) ([]journal.Message, error) {
	all, err := l.PlanLease.Inbox(ctx)
	return all, situation.Of(err)
}

func (l planLease) ForgetRecovery(ctx context.Context) error {
	return situation.Of(l.PlanLease.ForgetRecovery(ctx))
}

func (l planLease) ReserveReview(ctx context.Context, r engine.Reserve) (int64, time.Duration, error) {
	review, wall, err := l.PlanLease.ReserveReview(ctx, reserve(r))
	return review, wall, situation.Of(err)
}

func (l planLease) Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error {
	return situation.Of(l.PlanLease.Settle(ctx, review, all, cutOff))
}
