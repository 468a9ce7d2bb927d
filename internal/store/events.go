package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"ralph/internal/store/sqlrow"
)

// Event is one recorded event of a machine; loop.Decode and plan.Decode read Name
// and Data.
type Event struct {
	// Seq counts the run's events from 1.
	Seq   int64
	Epoch int64
	At    time.Time
	Name  string
	Data  []byte
}

// Events lists the events of a loop after the given one, oldest first; a limit
// of 0 is none.
func (s *Store) Events(ctx context.Context, id string, after int64, limit int) ([]Event, error) {
	return s.events(ctx, loopRuns, id, after, limit)
}

// Events lists the events of a plan after the given one, oldest first; a limit
// of 0 is none.
func (p Plans) Events(ctx context.Context, id string, after int64, limit int) ([]Event, error) {
	return p.s.events(ctx, planRuns, id, after, limit)
}

func (s *Store) events(ctx context.Context, k kind, id string, after int64, limit int) (out []Event, err error) {
	what, found := fmt.Sprintf("read events of %s %q", k.name, id), false
	err = s.read(ctx, what, func(tx *sql.Tx) error {
		found = true
		e, err := k.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		out, err = k.eventsAfter(ctx, tx, e.num, after, limit)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: %w", what, k.missing)
	}
	return out, err
}

func (k kind) eventsAfter(ctx context.Context, tx *sql.Tx, num, after int64, limit int) (out []Event, err error) {
	if limit <= 0 {
		limit = -1
	}
	err = sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
		var e Event
		var at int64
		err := rows.Scan(&e.Seq, &e.Epoch, &at, &e.Name, &e.Data)
		e.At = sqlrow.Time(at)
		out = append(out, e)
		return err
	}, k.q(`SELECT seq, epoch, at, name, data FROM %events WHERE %key = ? AND seq > ? ORDER BY seq LIMIT ?`), num, after, limit)
	return out, err
}

// Approve remembers that a person accepted the commands of a plan, by their
// digest; Approved reports whether exactly these commands were accepted.
func (s *Store) Approve(ctx context.Context, id, digest, by string) error {
	return s.write(ctx, "approve the commands of plan "+id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO plan_approvals (plan, digest, at, by) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			id, digest, sqlrow.Nano(s.o.Now()), by)
		return err
	})
}

// Approved reports whether a person accepted these commands for the plan.
func (s *Store) Approved(ctx context.Context, id, digest string) (bool, error) {
	n := 0
	err := s.read(ctx, "read the approvals of plan "+id, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM plan_approvals WHERE plan = ? AND digest = ?`, id, digest).Scan(&n)
	})
	return n > 0, err
}
