package store

import (
	"context"
	"database/sql"
	"time"
)

// PlanEvent is an event as it was recorded.
type PlanEvent struct {
	Seq, Epoch int64
	At         time.Time
	Name       string
	Data       []byte
}

// PlanEvents are those after a sequence number, oldest first.
func (s *Store) PlanEvents(ctx context.Context, id string, after int64) (all []PlanEvent, err error) {
	err = s.read(ctx, "read the events of plan "+id, func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var e PlanEvent
			var at int64
			err := rows.Scan(&e.Seq, &e.Epoch, &at, &e.Name, &e.Data)
			e.At = fromNano(at)
			all = append(all, e)
			return err
		}, `SELECT e.seq, e.epoch, e.at, e.name, e.data FROM plan_events e JOIN plans p ON p.num = e.plan
		 WHERE p.id = ? AND e.seq > ? ORDER BY e.seq`, id, after)
	})
	return all, err
}

// SendPlan leaves a message for whoever runs the plan.
func (s *Store) SendPlan(ctx context.Context, id string, m Message) error {
	return s.write(ctx, "send "+m.Kind+" to plan "+id, func(tx *sql.Tx) error {
		num, _, err := s.planOf(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO plan_inbox (plan, at, kind, text, by) VALUES (?, ?, ?, ?, ?)`,
			num, nano(s.o.Now()), m.Kind, m.Text, m.By)
		return err
	})
}

// PlanUnheard says whether a message to a plan waits for somebody to take it: who
// lets go of a plan asks, as with loops.
func (s *Store) PlanUnheard(ctx context.Context, id string) (waits bool, err error) {
	err = s.read(ctx, "look for messages to plan "+id, func(tx *sql.Tx) error {
		const q = `SELECT EXISTS (SELECT 1 FROM plan_inbox i JOIN plans p ON p.num = i.plan WHERE p.id = ? AND i.taken = 0)`
		return tx.QueryRowContext(ctx, q, id).Scan(&waits)
	})
	return waits, err
}

// ArchivePlan takes a plan out of sight, or back into it.
func (s *Store) ArchivePlan(ctx context.Context, id string, archived bool) error {
	return s.write(ctx, "archive plan "+id, func(tx *sql.Tx) error {
		num, _, err := s.planOf(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE plans SET archived = ? WHERE num = ?`, archived, num)
		return err
	})
}

// Approve remembers that a person accepted the commands of a plan, by their
// digest; Approved says whether these very commands were.
func (s *Store) Approve(ctx context.Context, id, digest, by string) error {
	return s.write(ctx, "approve the commands of plan "+id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO plan_approvals (plan, digest, at, by) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			id, digest, nano(s.o.Now()), by)
		return err
	})
}

// Approved says whether a person accepted these commands for the plan.
func (s *Store) Approved(ctx context.Context, id, digest string) (bool, error) {
	n := 0
	err := s.read(ctx, "read the approvals of plan "+id, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM plan_approvals WHERE plan = ? AND digest = ?`, id, digest).Scan(&n)
	})
	return n > 0, err
}
