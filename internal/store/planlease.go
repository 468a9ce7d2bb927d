package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// PlanLease is the right to write one plan's record, as a Lease is for a loop:
// the epoch is compared in every transaction, and a kernel lock tells who lives.
type PlanLease struct {
	s          *Store
	id         string
	num, epoch int64
	lock       *os.File

	mu    sync.Mutex
	state plan.State
	seq   int64
}

// TakePlan takes a plan up. One that was never run is recorded as first makes
// it; spec is what the run was asked for, and empty keeps what is recorded. A
// living owner keeps it (*HeldError), unless takeOver is set.
func (s *Store) TakePlan(ctx context.Context, first plan.State, spec []byte, takeOver bool) (*PlanLease, error) {
	if err := loop.ValidID(first.ID); err != nil {
		return nil, err
	}
	l := &PlanLease{s: s, id: first.ID}
	err := s.write(ctx, "take up plan "+first.ID, func(tx *sql.Tx) error {
		num, r, err := s.planOf(ctx, tx, first.ID)
		if errors.Is(err, ErrNoPlan) {
			return l.create(ctx, tx, first, spec)
		}
		if err != nil {
			return err
		}
		held, err := lockedFrom(s.planLock(first.ID), r.Epoch)
		if err != nil {
			return err
		}
		if held && !takeOver {
			return &HeldError{What: first.ID, Owner: r.Owner}
		}
		if err := s.planTasks(ctx, tx, &r); err != nil {
			return err
		}
		if len(spec) == 0 {
			spec = r.Spec
		}
		l.num, l.epoch, l.seq, l.state = num, r.Epoch+1, r.Seq, r.State
		return l.take(ctx, tx, spec)
	})
	if err != nil {
		l.Release()
		return nil, err
	}
	return l, nil
}

func (l *PlanLease) create(ctx context.Context, tx *sql.Tx, st plan.State, spec []byte) error {
	data, err := header(st)
	if err != nil {
		return err
	}
	r, err := tx.ExecContext(ctx,
		`INSERT INTO plans (id, epoch, seq, updated, owner, spec, data) VALUES (?, 0, 0, ?, '{}', ?, ?)`,
		st.ID, nano(l.s.o.Now()), spec, data)
	if err != nil {
		return err
	}
	if l.num, err = r.LastInsertId(); err != nil {
		return err
	}
	l.epoch, l.seq, l.state = 1, 0, st
	return l.take(ctx, tx, spec)
}

// take raises the epoch; the lock comes first, as with loops.
func (l *PlanLease) take(ctx context.Context, tx *sql.Tx, spec []byte) (err error) {
	if err := os.MkdirAll(l.Dir(), 0o700); err != nil {
		return err
	}
	if l.lock, err = lockAt(l.s.planLock(l.id), l.epoch); err != nil {
		return fmt.Errorf("lock epoch %d: %w", l.epoch, err)
	}
	owner, err := json.Marshal(l.s.myself())
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE plans SET epoch = ?, owner = ?, spec = ?, updated = ?, archived = 0 WHERE num = ?`,
		l.epoch, string(owner), spec, nano(l.s.o.Now()), l.num)
	if err != nil {
		return err
	}
	return l.settleCut(ctx, tx)
}

// Dir is where the plan's big files go.
func (l *PlanLease) Dir() string { return l.s.PlanDir(l.id) }

// State is what was committed last.
func (l *PlanLease) State() plan.State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Seq is the number of the newest event.
func (l *PlanLease) Seq() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

// Inbox lists the messages nobody took yet. An owner that was taken over gets a
// *FencedError.
func (l *PlanLease) Inbox(ctx context.Context) ([]Message, error) {
	var out []Message
	err := l.s.read(ctx, "read the inbox of plan "+l.id, func(tx *sql.Tx) (err error) {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		out, err = messages(ctx, tx, `SELECT num, at, kind, text, by FROM plan_inbox WHERE plan = ? AND taken = 0 ORDER BY num`, l.num)
		return err
	})
	return out, err
}

// Release lets go of the plan.
func (l *PlanLease) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lock != nil {
		unlock(l.lock)
		l.lock = nil
	}
}
