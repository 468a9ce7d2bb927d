package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"ralph/internal/plan"
)

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
