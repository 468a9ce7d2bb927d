package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Event is one recorded event of the machine; loop.Decode reads Name and Data.
type Event struct {
	// Seq counts the loop's events from 1.
	Seq   int64
	Epoch int64
	At    time.Time
	Name  string
	Data  []byte
}

// Events lists the events of a loop after the given one, oldest first; a limit
// of 0 is none.
func (s *Store) Events(ctx context.Context, id string, after int64, limit int) ([]Event, error) {
	if limit <= 0 {
		limit = -1
	}
	var out []Event
	found := false
	err := s.read(ctx, "read events of loop "+id, func(tx *sql.Tx) error {
		found = true
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		out, err = eventsAfter(ctx, tx, e.num, after, limit)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("read events of loop %q: %w", id, ErrNoLoop)
	}
	return out, err
}

func eventsAfter(ctx context.Context, tx *sql.Tx, num, after int64, limit int) ([]Event, error) {
	rows, err := tx.QueryContext(ctx,
		`SELECT seq, epoch, at, name, data FROM events WHERE loop = ? AND seq > ? ORDER BY seq LIMIT ?`, num, after, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Event
	for rows.Next() {
		var e Event
		var at int64
		if err := rows.Scan(&e.Seq, &e.Epoch, &at, &e.Name, &e.Data); err != nil {
			return nil, err
		}
		e.At = fromNano(at)
		out = append(out, e)
	}
	return out, rows.Err()
}
