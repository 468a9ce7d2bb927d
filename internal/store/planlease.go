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

// Commit makes next the plan's state and records the events that led to it, in
// one transaction. Only the tasks that changed are written.
func (l *PlanLease) Commit(ctx context.Context, next plan.State, events []plan.Event, took ...int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	data, err := header(next)
	if err != nil {
		return err
	}
	seq := l.seq + int64(len(events))
	err = l.s.write(ctx, "commit plan "+l.id, func(tx *sql.Tx) error {
		if err := l.update(ctx, tx, data, seq); err != nil {
			return err
		}
		if err := l.writeTasks(ctx, tx, next.Tasks); err != nil {
			return err
		}
		for i, e := range events {
			name, data, err := plan.Encode(e)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO plan_events (plan, seq, epoch, at, name, data) VALUES (?, ?, ?, ?, ?, ?)`,
				l.num, l.seq+int64(i)+1, l.epoch, nano(e.When()), name, data)
			if err != nil {
				return err
			}
		}
		for _, id := range took {
			if _, err := tx.ExecContext(ctx, `UPDATE plan_inbox SET taken = 1 WHERE num = ? AND plan = ?`, id, l.num); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		l.state, l.seq = next, seq
	}
	return err
}

// header is the state without its tasks.
func header(st plan.State) ([]byte, error) {
	st.Tasks = nil
	return json.Marshal(st)
}

func (l *PlanLease) update(ctx context.Context, tx *sql.Tx, data []byte, seq int64) error {
	r, err := tx.ExecContext(ctx, `UPDATE plans SET seq = ?, updated = ?, data = ? WHERE num = ? AND epoch = ? AND seq = ?`,
		seq, nano(l.s.o.Now()), data, l.num, l.epoch, l.seq)
	if err != nil {
		return err
	}
	if changed, err := r.RowsAffected(); err != nil || changed == 1 {
		return err
	}
	return l.owned(ctx, tx)
}

// owned says why a write was refused.
func (l *PlanLease) owned(ctx context.Context, tx *sql.Tx) error {
	_, r, err := l.s.planOf(ctx, tx, l.id)
	switch {
	case errors.Is(err, ErrNoPlan):
		return &FencedError{ID: l.id, Epoch: l.epoch, Forgotten: true}
	case err != nil:
		return err
	case r.Epoch != l.epoch:
		return &FencedError{ID: l.id, Epoch: l.epoch, Now: r.Epoch, NewOwner: r.Owner}
	}
	return nil
}

func (l *PlanLease) writeTasks(ctx context.Context, tx *sql.Tx, tasks []plan.TaskState) error {
	for i, t := range tasks {
		if i < len(l.state.Tasks) && l.state.Tasks[i] == t {
			continue
		}
		data, err := json.Marshal(t)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO plan_tasks (plan, n, data) VALUES (?, ?, ?) ON CONFLICT (plan, n) DO UPDATE SET data = excluded.data`,
			l.num, i, data)
		if err != nil {
			return err
		}
	}
	if len(tasks) < len(l.state.Tasks) {
		_, err := tx.ExecContext(ctx, `DELETE FROM plan_tasks WHERE plan = ? AND n >= ?`, l.num, len(tasks))
		return err
	}
	return nil
}

// Inbox lists the messages nobody took yet. An owner that was taken over gets a
// *FencedError.
func (l *PlanLease) Inbox(ctx context.Context) ([]Message, error) {
	var out []Message
	err := l.s.read(ctx, "read the inbox of plan "+l.id, func(tx *sql.Tx) error {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT num, at, kind, text, by FROM plan_inbox WHERE plan = ? AND taken = 0 ORDER BY num`, l.num)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var m Message
			var at int64
			if err := rows.Scan(&m.ID, &at, &m.Kind, &m.Text, &m.By); err != nil {
				return err
			}
			m.At = fromNano(at)
			out = append(out, m)
		}
		return rows.Err()
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
