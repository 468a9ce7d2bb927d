package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// Position tells how far a run has come: the number of its newest event.
type Position struct {
	Kind recovery.Kind
	Run  string
	Seq  int64
}

// Positions returns those of all runs that are not archived.
func (s *Store) Positions(ctx context.Context) (out []Position, err error) {
	err = s.read(ctx, "look how far the runs are", func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var p Position
			err := rows.Scan(&p.Kind, &p.Run, &p.Seq)
			out = append(out, p)
			return err
		}, `SELECT 'loop', id, seq FROM loops WHERE archived = 0 UNION ALL SELECT 'plan', id, seq FROM plans WHERE archived = 0`)
	})
	return out, err
}

// Restart is what a supervisor did for a run whose process died.
type Restart struct {
	// Pos is its place among the events of all loops.
	Pos  int64
	Kind recovery.Kind
	Run  string
	// Left: the run is not restarted any more. Try counts the restarts without
	// progress.
	Left   bool
	Reason recovery.Reason
	Try    int
	Detail string
	At     time.Time
}

// Restarts returns those after a place, the oldest first.
func (s *Store) Restarts(ctx context.Context, after int64) (out []Restart, err error) {
	err = s.read(ctx, "read what was restarted", func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var r Restart
			var name string
			var at int64
			var data []byte
			if err := rows.Scan(&r.Pos, &name, &at, &data, &r.Run, &r.Kind); err != nil {
				return err
			}
			var c outsideMessage
			_ = json.Unmarshal(data, &c)
			r.Left, r.At = name == recovery.Action{Verb: recovery.Leave}.Name(), sqlrow.Time(at)
			r.Reason, r.Try, r.Detail = recovery.Reason(c.Reason), c.Try, c.Detail
			out = append(out, r)
			return nil
		}, `SELECT e.pos, e.name, e.at, e.data, coalesce(l.id, p.id), iif(l.id IS NULL, 'plan', 'loop')
		    FROM events e LEFT JOIN loops l ON l.num = e.loop LEFT JOIN plans p ON p.num = -e.loop
		    WHERE e.pos > ? AND e.seq IS NULL AND e.name IN ('rescue', 'take_over', 'left') AND coalesce(l.id, p.id) IS NOT NULL
		    ORDER BY e.pos`, after)
	})
	return out, err
}

// LastPos is the place of the newest event of all loops.
func (s *Store) LastPos(ctx context.Context) (pos int64, err error) {
	err = s.read(ctx, "look for the newest event", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT coalesce(max(pos), 0) FROM events`).Scan(&pos)
	})
	return pos, err
}

// Mark changes with each commit. It costs no query; empty means unknown.
func (s *Store) Mark() string { return s.lastWrite() }
