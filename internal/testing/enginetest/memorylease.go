package enginetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// memoryLease is the right to write one run.
type memoryLease[S any, E journal.Event, L engine.Lease[S, E]] struct {
	m     *Memory[S, E, L]
	id    string
	epoch int64
	wake  chan struct{}
	// found is the newest message that was sent before the run was acquired.
	found int64

	mu       sync.Mutex
	released bool
}

func (l *memoryLease[S, E, L]) ID() string            { return l.id }
func (l *memoryLease[S, E, L]) Epoch() int64          { return l.epoch }
func (l *memoryLease[S, E, L]) Wake() <-chan struct{} { return l.wake }

// underEpoch does something with the run while it is ours.
func (l *memoryLease[S, E, L]) underEpoch(do func(*memoryRun[S]) error) error {
	return l.m.found(l.id, func(r *memoryRun[S]) error {
		if r.Epoch != l.epoch {
			return fmt.Errorf("%s (epoch %d, ours is %d): %w", l.id, r.Epoch, l.epoch, engine.ErrFenced)
		}
		return do(r)
	})
}

func (l *memoryLease[S, E, L]) Owned(context.Context) error {
	return l.underEpoch(func(*memoryRun[S]) error { return nil })
}

func (l *memoryLease[S, E, L]) State() (s S) {
	_ = l.m.found(l.id, func(r *memoryRun[S]) error {
		s = r.State
		return nil
	})
	return s
}

func (l *memoryLease[S, E, L]) Seq() (n int64) {
	_ = l.m.found(l.id, func(r *memoryRun[S]) error {
		n = r.Seq
		return nil
	})
	return n
}

func (l *memoryLease[S, E, L]) Commit(_ context.Context, next S, events []E, took ...int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released || l.m.idOf(next) != l.id {
		return fmt.Errorf("commit %s: the lease was released, or is that of another run", l.id)
	}
	rows := make([]engine.Event, len(events))
	for i, e := range events {
		name, data, err := l.m.encode(e)
		if err != nil {
			return err
		}
		rows[i] = engine.Decode(engine.Event{Epoch: l.epoch, At: e.When(), Name: name, Data: data}, l.m.decode)
	}
	kept, err := copied(next)
	if err != nil {
		return err
	}
	return l.underEpoch(func(r *memoryRun[S]) error {
		for i := range rows {
			r.Seq++
			rows[i].Seq = r.Seq
		}
		r.State, r.events = kept, append(r.events, rows...)
		r.inbox = slices.DeleteFunc(r.inbox, func(m journal.Message) bool { return slices.Contains(took, m.ID) })
		l.m.touch(r)
		return nil
	})
}

func (l *memoryLease[S, E, L]) Inbox(context.Context) (out []journal.Message, err error) {
	err = l.underEpoch(func(r *memoryRun[S]) error {
		out = slices.Clone(r.inbox)
		return nil
	})
	return out, err
}

func (l *memoryLease[S, E, L]) ForgetRecovery(context.Context) error {
	return l.underEpoch(func(r *memoryRun[S]) error {
		r.Recovery = recovery.Restarts{}
		return nil
	})
}

func (l *memoryLease[S, E, L]) Release(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released {
		return nil
	}
	l.released = true
	return l.m.found(l.id, func(r *memoryRun[S]) error {
		r.Live = r.Live && r.Epoch != l.epoch
		return nil
	})
}

// unpaid is the lease of a plan whose reviews cost nothing.
type unpaid struct {
	*memoryLease[plan.State, plan.Event, engine.PlanLease]
}

func (unpaid) ReserveReview(context.Context, engine.Reserve) (int64, time.Duration, error) {
	return 0, 0, nil
}

func (unpaid) Settle(context.Context, int64, []loop.AgentSpent, bool) error { return nil }

// loopLease is the lease of a loop whose agents cost nothing.
type loopLease struct {
	*memoryLease[loop.State, loop.Event, engine.LoopLease]
	*checkpoints
}

// checkpoints are the newest of each loop.
type checkpoints struct {
	mu     sync.Mutex
	newest map[string]loop.Checkpoint
}

func (l loopLease) Found(m journal.Message) bool { return m.ID <= l.found }

func (l loopLease) CommitReserved(ctx context.Context, next loop.State, events []loop.Event, _ engine.Reserve) (time.Duration, error) {
	return 0, l.Commit(ctx, next, events)
}

func (l loopLease) ReserveReview(context.Context, engine.Reserve) (time.Duration, error) {
	return 0, nil
}

func (l loopLease) Affords(context.Context, string) error { return nil }

func (l loopLease) Balances(context.Context, string) ([]money.Balance, error) { return nil, nil }

func (l loopLease) Checkpoint(ctx context.Context, n int, commit, _ string) error {
	if err := l.Owned(ctx); err != nil {
		return err
	}
	c := loop.Checkpoint{N: n, At: time.Now(), Seq: l.Seq(), Commit: commit, State: l.State()}
	l.checkpoints.mu.Lock()
	defer l.checkpoints.mu.Unlock()
	l.newest[l.id] = c
	return nil
}

func (l loopLease) CheckpointFailed(ctx context.Context, _ string) error { return l.Owned(ctx) }

func (l loopLease) Newest(context.Context) (loop.Checkpoint, error) {
	l.checkpoints.mu.Lock()
	defer l.checkpoints.mu.Unlock()
	return l.newest[l.id], nil
}
