package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"ralph/internal/notice"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// Seen is how far the runs of the repository were read.
type Seen struct {
	// Begun: it was read before. Else what happened so far is no news.
	Begun bool
	// Runs has the number of the newest event of each, Pos the place of the newest
	// restart.
	Runs map[Run]int64
	Pos  int64
}

// Run is a loop or a plan.
type Run struct {
	Kind recovery.Kind
	ID   string
}

// Seen returns what Put recorded last.
func (b *Box) Seen(ctx context.Context) (s Seen, err error) {
	s.Runs = map[Run]int64{}
	err = b.read(ctx, "read how far the outbox is", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT pos FROM state`).Scan(&s.Pos)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		s.Begun = err == nil
		if err != nil {
			return err
		}
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var run Run
			var seq int64
			err := rows.Scan(&run.Kind, &run.ID, &seq)
			s.Runs[run] = seq
			return err
		}, `SELECT kind, run, seq FROM runs`)
	})
	return s, err
}

// Entry is a notice to put in: for these targets, and not to be sent before a time.
type Entry struct {
	Notice    notice.Notice
	Targets   []string
	NotBefore time.Time
}

// Put records notices and how far the runs were read, in one transaction. A notice whose
// key is known already is ignored.
func (b *Box) Put(ctx context.Context, read map[Run]int64, pos int64, entries []Entry) error {
	return b.write(ctx, "put notices into the outbox", func(tx *sql.Tx) error {
		for run, seq := range read {
			_, err := tx.ExecContext(ctx, `INSERT INTO runs (kind, run, seq) VALUES (?1, ?2, ?3)
				ON CONFLICT (kind, run) DO UPDATE SET seq = max(seq, ?3)`, run.Kind, run.ID, seq)
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO state (one, pos) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET pos = max(pos, ?1)`, pos)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := b.put(ctx, tx, e); err != nil {
				return err
			}
		}
		return b.prune(ctx, tx)
	})
}

func (b *Box) put(ctx context.Context, tx *sql.Tx, e Entry) error {
	data, err := json.Marshal(e.Notice)
	if err != nil {
		return err
	}
	now := b.now().UnixNano()
	done, err := tx.ExecContext(ctx, `INSERT INTO notices (key, run, kind, at, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		e.Notice.Key, e.Notice.Run, e.Notice.Event, now, data)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	num, err := done.LastInsertId()
	if err != nil {
		return err
	}
	for _, target := range e.Targets {
		_, err := tx.ExecContext(ctx, `INSERT INTO deliveries (notice, target, state, next, at) VALUES (?, ?, 'waiting', ?, ?)`,
			num, target, max(now, sqlrow.Nano(e.NotBefore)), now)
		if err != nil {
			return err
		}
	}
	return nil
}

// prune forgets what is old.
func (b *Box) prune(ctx context.Context, tx *sql.Tx) error {
	old := b.now().Add(-kept).UnixNano()
	for _, q := range []string{
		`DELETE FROM deliveries WHERE notice IN (SELECT num FROM notices WHERE at < ?1)`,
		`DELETE FROM notices WHERE at < ?1`,
		`DELETE FROM buttons WHERE until < ?1`,
	} {
		if _, err := tx.ExecContext(ctx, q, old); err != nil {
			return err
		}
	}
	return nil
}

// Told returns the notices of a kind about a run that were put in, oldest first.
func (b *Box) Told(ctx context.Context, run string, kind notice.Kind) (out []notice.Notice, err error) {
	err = b.read(ctx, "read what was told", func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			n, err := scan(rows)
			out = append(out, n)
			return err
		}, `SELECT key, data FROM notices WHERE run = ? AND kind = ? ORDER BY num`, run, kind)
	})
	return out, err
}

// Unreminded returns the notices of these kinds that were put in between two times and
// have no reminder.
func (b *Box) Unreminded(ctx context.Context, kinds []notice.Kind, after, before time.Time) (out []notice.Notice, err error) {
	list, err := json.Marshal(kinds)
	if err != nil {
		return nil, err
	}
	err = b.read(ctx, "read what a person was told", func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			n, err := scan(rows)
			out = append(out, n)
			return err
		}, `SELECT n.key, n.data FROM notices n WHERE n.kind IN (SELECT value FROM json_each(?1)) AND n.at > ?2 AND n.at <= ?3
			AND substr(n.key, 1, length(?4)) <> ?4 AND NOT EXISTS (SELECT 1 FROM notices r WHERE r.key = ?4 || n.key) ORDER BY n.num`,
			string(list), after.UnixNano(), before.UnixNano(), notice.ReminderKey)
	})
	return out, err
}

func scan(rows *sql.Rows, more ...any) (n notice.Notice, err error) {
	var key string
	var data []byte
	if err := rows.Scan(append([]any{&key, &data}, more...)...); err != nil {
		return n, err
	}
	err = json.Unmarshal(data, &n)
	n.Key = key
	return n, err
}
