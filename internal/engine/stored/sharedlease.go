package stored

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"ralph/internal/engine/situation"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store"
)

// sharedLease is the lease of a loop on a server, beside the one of its copy. Messages of the
// server keep their numbers; those that were sent on this machine have theirs below zero.
type sharedLease struct {
	serverLease[loop.State, loop.Event]
	found int64
	wake  chan struct{}
	ended chan struct{}
	end   sync.Once
	wakes sync.WaitGroup
	// plans pays for the runs of the loop from the budgets of plans.
	plans planShares
	// leave gives the place of the loop back; nil where it has none. Where it fails, a process that
	// needs the place finds that the lease is over.
	leave func(context.Context)
}

// forward passes on what wakes the owner, there and here.
func (l *sharedLease) forward(here <-chan struct{}) {
	for _, from := range []<-chan struct{}{here, l.Wake()} {
		l.wakes.Go(func() {
			for {
				select {
				case _, open := <-from:
					if !open {
						return
					}
					select {
					case l.wake <- struct{}{}:
					default:
					}
				case <-l.ended:
					return
				}
			}
		})
	}
}

// split separates the messages of the server from those of this machine.
func split(took []int64) (there, here []int64) {
	for _, id := range took {
		if id < 0 {
			here = append(here, -id)
		} else {
			there = append(there, id)
		}
	}
	return there, here
}

// commitBoth records a transition on the server, and then in the copy.
func (l LoopLease) commitBoth(ctx context.Context, next loop.State, events []loop.Event, took []int64) error {
	there, here := split(took)
	if used, ends := money.UsedBy(l.State(), next, events); ends {
		if err := l.shared.plans.settle(ctx, used); err != nil {
			return err
		}
	}
	if err := l.shared.Commit(ctx, next, events, there...); err != nil {
		return err
	}
	return situation.Of(l.LoopLease.Commit(ctx, next, events, here...))
}

// beginBoth commits with a reservation from the budgets of plans, on the server and in the copy. Two
// loops of one session that begin at the same moment may both find that its budget affords them.
func (l LoopLease) beginBoth(ctx context.Context, next loop.State, events []loop.Event, r store.Reserve) (time.Duration, error) {
	if err := l.affordsHere(ctx, r.Session.ID); err != nil {
		return 0, err
	}
	plans, err := l.shared.plans.reserve(ctx, r.Until, next.Agent.Name, false)
	if err != nil {
		return 0, err
	}
	if err := l.shared.Commit(ctx, next, events); err != nil {
		return 0, errors.Join(err, l.shared.plans.drop(ctx))
	}
	wall, err := l.LoopLease.CommitReserved(ctx, next, events, r)
	if _, refused := errors.AsType[*money.RefusedError](err); refused {
		err = l.LoopLease.Commit(ctx, next, events)
	}
	return shorter(wall, plans), situation.Of(err)
}

// affordsHere is Affords where the budgets of plans are about to be asked for a share: only a
// refusal of this machine is compared with theirs.
func (l LoopLease) affordsHere(ctx context.Context, session string) error {
	if l.LoopLease.Affords(ctx, session) == nil {
		return nil
	}
	return situation.Of(l.Affords(ctx, session))
}

// reviewBoth reserves for reviewers, here and from the budgets of plans.
func (l LoopLease) reviewBoth(ctx context.Context, r store.Reserve) (time.Duration, error) {
	if err := l.affordsHere(ctx, r.Session.ID); err != nil {
		return 0, err
	}
	plans, err := l.shared.plans.reserve(ctx, r.Until, "", true)
	if err != nil {
		return 0, err
	}
	wall, err := l.LoopLease.ReserveReview(ctx, r)
	if err != nil {
		err = errors.Join(situation.Of(err), l.shared.plans.drop(ctx))
	}
	return shorter(wall, plans), err
}

// Affords returns nil where all budgets can pay for one more run. One that is used up refuses
// before one of which others hold the rest.
func (l LoopLease) Affords(ctx context.Context, session string) error {
	here := l.LoopLease.Affords(ctx, session)
	refused, is := errors.AsType[*money.RefusedError](here)
	if l.shared == nil || here != nil && (!is || refused.Verdict == money.Spent) {
		return here
	}
	now := l.State()
	review, agent := now.Step == loop.StepGates, now.Agent.Name
	if review {
		agent = ""
	}
	return cmp.Or(l.shared.plans.afford(ctx, agent, review), here)
}

// Balances are the budgets that the loop is paid from.
func (l LoopLease) Balances(ctx context.Context, session string) ([]money.Balance, error) {
	here, err := l.LoopLease.Balances(ctx, session)
	if l.shared == nil || err != nil {
		return here, err
	}
	plans, err := l.shared.plans.balances(ctx)
	return append(here, plans...), err
}

func (l LoopLease) ownedBoth(ctx context.Context) error {
	if err := l.shared.Owned(ctx); err != nil {
		return err
	}
	return situation.Of(l.LoopLease.Owned(ctx))
}

func (l LoopLease) inboxOfBoth(ctx context.Context) ([]journal.Message, error) {
	all, err := l.shared.Inbox(ctx)
	if err != nil {
		return nil, err
	}
	here, err := l.LoopLease.Inbox(ctx)
	for _, m := range here {
		m.ID = -m.ID
		all = append(all, m)
	}
	return all, situation.Of(err)
}

// Found reports whether a message lay in the inbox before the lease was acquired.
func (l LoopLease) Found(m journal.Message) bool {
	if l.shared == nil {
		return l.LoopLease.Found(m)
	}
	if m.ID < 0 {
		m.ID = -m.ID
		return l.LoopLease.Found(m)
	}
	return m.ID <= l.shared.found
}

// Wake signals that there may be a message, or another owner.
func (l LoopLease) Wake() <-chan struct{} {
	if l.shared == nil {
		return l.LoopLease.Wake()
	}
	return l.shared.wake
}

// Release ends the lease, here before there: the next owner may be on this machine.
func (l LoopLease) Release(ctx context.Context) error {
	err := l.LoopLease.Release(ctx)
	if l.shared == nil {
		return err
	}
	l.shared.end.Do(func() { close(l.shared.ended) })
	l.shared.wakes.Wait()
	released := l.shared.Release(ctx)
	if l.shared.leave != nil && released == nil {
		l.shared.leave(ctx)
	}
	return errors.Join(err, released)
}
