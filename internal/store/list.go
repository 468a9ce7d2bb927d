package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// Filter chooses loops or plans. Its fields are those of engine.Filter, which
// explains them, in the same order, so that Go converts one into the other. The column
// settled tells that a run is closed, which older versions did not keep: a list of Unclosed
// may hold a run of theirs that waits for nothing.
type Filter struct {
	Archived, Active, Ended, Unclosed bool
	Mode                              loop.Mode
	Parent                            string
	Apart                             bool
	Since                             time.Time
	Limit                             int
}

// where is the condition of a query, with its values. A run that is archived counts as one
// that has ended. SQLite uses a partial index only where a query has its condition word by
// word.
func (f Filter) where() (condition string, values []any) {
	var all []string
	add := func(is bool, sql string, value ...any) {
		if is {
			all, values = append(all, sql), append(values, value...)
		}
	}
	add(f.Unclosed, "archived = 0 AND ended = 1 AND settled = 0")
	add(f.Active, "ended = 0")
	add(f.Ended, "ended = 1")
	add(!f.Archived && !f.Unclosed && !f.Active, "archived = 0") // which those imply
	add(f.Mode != "", "mode = ?", f.Mode)
	add(f.Parent != "", "parent = ?", f.Parent)
	add(!f.Since.IsZero(), "updated >= ?", sqlrow.Nano(f.Since))
	add(f.Apart, "in_plan = 0")
	return strings.Join(append(all, "1"), " AND "), values
}

// query lists entries, newest first.
func (f Filter) query(k kind) (query string, values []any) {
	where, values := f.where()
	from := " FROM %runs "
	if f.Unclosed { // SQLite takes any partial index that fits, also one with all that have ended
		from += "INDEXED BY %runs_unsettled "
	}
	most := -1
	if f.Limit > 0 {
		most = f.Limit
	}
	return k.q(`SELECT ` + k.columns() + from + `WHERE ` + where + ` ORDER BY ` + k.newest + ` LIMIT ?`), append(values, most)
}

func (k kind) list(ctx context.Context, tx *sql.Tx, f Filter) (out []Entry, err error) {
	query, values := f.query(k)
	err = sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
		e, err := k.scan(rows.Scan)
		out = append(out, e)
		return err
	}, query, values...)
	return out, err
}

// Entries tells about loops, newest first. It reads no row of loops that it leaves out, but
// for archived ones among the newest.
func (s *Store) Entries(ctx context.Context, f Filter) (out []Entry, err error) {
	err = s.read(ctx, "list loops", func(tx *sql.Tx) (err error) {
		out, err = loopRuns.list(ctx, tx, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	moved, err := s.enliven(ctx, out, false, func(*sql.Tx, int) error { return nil })
	if moved {
		return s.Entries(ctx, f)
	}
	return out, err
}

// Count returns how many loops the filter lets through, whatever its limit. It reads no
// record.
func (s *Store) Count(ctx context.Context, f Filter) (int, error) { return s.count(ctx, loopRuns, f) }

// Count is Store.Count of plans.
func (p Plans) Count(ctx context.Context, f Filter) (int, error) { return p.s.count(ctx, planRuns, f) }

func (s *Store) count(ctx context.Context, k kind, f Filter) (n int, err error) {
	where, values := f.where()
	err = s.read(ctx, "count "+k.runs, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, k.q(`SELECT count(*) FROM %runs WHERE `+where), values...).Scan(&n)
	})
	return n, err
}
