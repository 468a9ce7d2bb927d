package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"ralph/internal/plan"
)

// Commit makes next the plan's state and records the events that led to it, in
// one transaction. Only the tasks that changed are written.
func (l *PlanLease) Commit(ctx context.Context, next plan.State, events []plan.Event, took ...int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(next.ID); err != nil {
		return fmt.Errorf("commit plan %s: %w", l.id, err)
	}
	data, err := header(next)
	if err != nil {
		return err
	}
	rows, err := encode(l.seq, events, plan.Encode)
	if err != nil {
		return err
	}
	seq, head := l.seq+int64(len(events)), l.head.follow(l.epoch, rows)
	parts := planParts{header: digest(data), spec: l.parts.spec, tasks: slices.Clone(l.parts.tasks)}
	err = l.write(ctx, "commit plan "+l.id, func(tx *sql.Tx) error {
		if err := l.advance(ctx, tx, seq, `data = ?, settled = ?`, data, next.Closed()); err != nil {
			return err
		}
		if err := l.writeTasks(ctx, tx, next.Tasks, &parts); err != nil {
			return err
		}
		if err := l.append(ctx, tx, rows...); err != nil {
			return err
		}
		if err := l.kind.putSeal(ctx, tx, l.num, parts.seal(head)); err != nil {
			return err
		}
		return l.markTaken(ctx, tx, took)
	})
	if err == nil {
		l.state, l.seq, l.head, l.parts = next, seq, head, parts
	}
	return err
}

// header is the state without its tasks.
func header(st plan.State) ([]byte, error) {
	st.Tasks = nil
	return json.Marshal(st)
}

// writeTasks writes the tasks that changed, and notes the digests of all in parts.
func (l *PlanLease) writeTasks(ctx context.Context, tx *sql.Tx, tasks []plan.TaskState, parts *planParts) error {
	parts.tasks = slices.Grow(parts.tasks, len(tasks))[:len(tasks)]
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
		parts.tasks[i] = digest(data)
	}
	if len(tasks) < len(l.state.Tasks) {
		_, err := tx.ExecContext(ctx, `DELETE FROM plan_tasks WHERE plan = ? AND n >= ?`, l.num, len(tasks))
		return err
	}
	return nil
}
