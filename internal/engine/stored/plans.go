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
type Plans struct{ runs[plan.State, plan.Event] }

// PlansOf are the plans of a store.
func PlansOf(s *store.Store) Plans {
	return Plans{runs[plan.State, plan.Event]{Store: s, of: s.Plans(), decode: plan.Decode}}
}

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

// Process tells an owner apart from all others, of any machine and time.
func Process(o store.Owner) string {
	if o == (store.Owner{}) {
		return ""
	}
	return fmt.Sprintf("%s/%s/%s/%d/%d", o.Host, o.Boot, o.PIDNS, o.PID, o.Start)
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
