package stored

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// sharedPlanLease is the lease of a plan on a server. Unlike a loop, the plan has no copy on
// this machine to be kept in step: only its reviews are paid here.
type sharedPlanLease struct {
	serverLease[plan.State, plan.Event]
	plans SharedPlans

	mu sync.Mutex
	// ledger is the lease in the database of this machine under which reviews are paid;
	// nil before the first one.
	ledger *store.PlanLease
}

var _ engine.PlanLease = (*sharedPlanLease)(nil)

// State is the committed state with the paths of this machine.
func (l *sharedPlanLease) State() plan.State {
	s := l.Lease.State()
	s.File = l.plans.Path(s.ID, s.File)
	return s
}

// Commit makes next the state, with the file's name on the server, which changes only where
// the file was moved: on a machine without the file its path leads to another name.
func (l *sharedPlanLease) Commit(ctx context.Context, next plan.State, events []plan.Event, took ...int64) error {
	now, file := l.State().File, next.File
	if next.File = l.Lease.State().File; l.plans.Fetch == nil && file != now { // the copy of a worker is not moved
		next.File = l.plans.Name(file)
	}
	return l.serverLease.Commit(ctx, next, events, took...)
}

// paying is the lease in the database of this machine. It is taken over: its former
// holder has lost the one on the server.
func (l *sharedPlanLease) paying(ctx context.Context) (*store.PlanLease, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ledger != nil {
		return l.ledger, nil
	}
	here, err := l.plans.Ledger.Plans().Acquire(ctx, l.ID(), nil, true)
	if errors.Is(err, store.ErrNoPlan) {
		here, err = l.plans.Ledger.Plans().Create(ctx, plan.State{ID: l.ID()}, nil)
	}
	if err == nil {
		l.ledger = here
	}
	return here, situation.Of(err)
}

// ReserveReview reserves what reviewers may use.
func (l *sharedPlanLease) ReserveReview(ctx context.Context, r engine.Reserve) (int64, time.Duration, error) {
	here, err := l.paying(ctx)
	if err != nil {
		return 0, 0, err
	}
	review, wall, err := here.ReserveReview(ctx, reserve(r))
	if err != nil {
		return 0, 0, situation.Of(err)
	}
	shares, err := l.shares(ctx, review)
	var plans time.Duration
	if err == nil {
		plans, err = shares.reserve(ctx, r.Until, "", true)
	}
	if err != nil { // the reviewers are not asked
		return 0, 0, errors.Join(err, situation.Of(here.Settle(ctx, review, nil, false)))
	}
	return review, shorter(wall, plans), nil
}

// shares pay for a review from the budgets of the plan and of those around it.
func (l *sharedPlanLease) shares(ctx context.Context, review int64) (*planShares, error) {
	plans, err := l.plans.Budgets.Above(ctx, l.ID())
	return &planShares{
		budgets: l.plans.Budgets, plans: plans,
		holder: holder{Name: fmt.Sprintf("%s/%d", l.ID(), review), Plan: l.ID(), Epoch: l.Epoch()},
	}, err
}

// Settle replaces the reservation of a review by its cost.
func (l *sharedPlanLease) Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error {
	here, err := l.paying(ctx)
	if err != nil {
		return err
	}
	shares, err := l.shares(ctx, review)
	if err == nil {
		err = shares.settle(ctx, money.UsedInReview(all, cutOff))
	}
	return errors.Join(err, situation.Of(here.Settle(ctx, review, all, cutOff)))
}

// Release ends the lease.
func (l *sharedPlanLease) Release(ctx context.Context) error {
	l.mu.Lock()
	here := l.ledger
	l.ledger = nil
	l.mu.Unlock()
	var err error
	if here != nil {
		err = situation.Of(here.Release(ctx))
	}
	return errors.Join(err, l.Lease.Release(ctx))
}
