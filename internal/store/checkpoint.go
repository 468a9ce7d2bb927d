package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// ErrNoCheckpoint: the loop has none of this number.
var ErrNoCheckpoint = errors.New("no such checkpoint")

// Checkpoint records that the tree as it is now stands in a commit, together
// with the state, and tells the bus. The caller has made the commit safe.
func (l *LoopLease) Checkpoint(ctx context.Context, n int, commit, why string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	data, err := json.Marshal(l.state)
	if err != nil {
		return fmt.Errorf("checkpoint loop %s: %w", l.id, err)
	}
	return l.tell(ctx, "checkpoint loop "+l.id, "checkpoint", busFields{Detail: why, Commit: commit, N: n}, func(tx *sql.Tx, at time.Time) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO checkpoints (loop, n, at, seq, tree, state) VALUES (?, ?, ?, ?, ?, ?)`,
			l.num, n, sqlrow.Nano(at), l.seq, commit, data)
		return err
	})
}

// CheckpointFailed tells the bus that there is one less than there should be.
func (l *LoopLease) CheckpointFailed(ctx context.Context, why string) error {
	return l.tell(ctx, "note about loop "+l.id, "checkpoint_failed", busFields{Detail: oneLine(why, 200)}, func(*sql.Tx, time.Time) error { return nil })
}

// tell publishes a message about the loop on the bus, together with the changes
// of do.
func (l *LoopLease) tell(ctx context.Context, what, name string, t busFields, do func(*sql.Tx, time.Time) error) error {
	err := l.write(ctx, what, func(tx *sql.Tx) error {
		if err := l.compareEpoch(ctx, tx); err != nil {
			return err
		}
		at := l.s.o.Now()
		if err := do(tx, at); err != nil {
			return err
		}
		r, err := busRow(name, at, outsideMessage{busFields: t})
		if err != nil {
			return err
		}
		return l.append(ctx, tx, r)
	})
	if err == nil {
		l.s.show(ctx, l.id)
	}
	return err
}

// Newest is the loop's newest checkpoint; N is 0 where it has none.
func (l *LoopLease) Newest(ctx context.Context) (c loop.Checkpoint, err error) {
	err = l.s.read(ctx, "read the newest checkpoint of loop "+l.id, func(tx *sql.Tx) error {
		all, err := checkpoints(ctx, tx, l.num, `ORDER BY n DESC LIMIT 1`)
		if len(all) > 0 {
			c = all[0]
		}
		return err
	})
	return c, err
}

// Checkpoints lists those of a loop, oldest first.
func (s *Store) Checkpoints(ctx context.Context, id string) (out []loop.Checkpoint, err error) {
	found := false
	err = s.read(ctx, "list the checkpoints of loop "+id, func(tx *sql.Tx) error {
		found = true
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		out, err = checkpoints(ctx, tx, e.num, `ORDER BY n`)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("list the checkpoints of loop %q: %w", id, ErrNoLoop)
	}
	return out, err
}

func checkpoints(ctx context.Context, tx *sql.Tx, num int64, order string) ([]loop.Checkpoint, error) {
	rows, err := tx.QueryContext(ctx, `SELECT n, at, seq, tree, state FROM checkpoints WHERE loop = ? `+order, num)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []loop.Checkpoint
	for rows.Next() {
		var c loop.Checkpoint
		var at int64
		var data []byte
		if err := rows.Scan(&c.N, &at, &c.Seq, &c.Commit, &data); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &c.State); err != nil {
			return nil, fmt.Errorf("read checkpoint %d: %w", c.N, err)
		}
		c.At = sqlrow.Time(at)
		out = append(out, c)
	}
	return out, rows.Err()
}
