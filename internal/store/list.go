package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// Filter chooses loops. The zero Filter is every loop that is not archived.
type Filter struct {
	// Active leaves out loops that have ended.
	Active bool
	// Ended leaves out those that have not.
	Ended bool
	// Unsettled leaves out those that wait for nothing of a person any more, and those
	// that have not ended. One that older versions recorded may be among them.
	Unsettled bool
	// Archived adds archived loops.
	Archived bool
	// Mode and Parent, where set, are those of the wanted loops.
	Mode   loop.Mode
	Parent string
	// Apart leaves out loops that belong to the run of a plan.
	Apart bool
	// Since, where set, leaves out loops of which nothing was recorded since then.
	Since time.Time
	// Limit is how many of the newest; 0 is no limit.
	Limit int
}

// where is the condition of a query, with its values.
func (f Filter) where() (condition string, values []any) {
	all := []string{"1"}
	switch {
	case f.Unsettled:
		all = []string{"archived = 0", "ended = 1", summaryPart("summary", "settled") + " <> 1"}
	case f.Active:
		all = []string{"ended = 0"}
	case f.Ended && f.Archived:
		all = []string{"ended = 1"}
	case f.Ended:
		all = []string{"archived = 0", "ended = 1"}
	case !f.Archived:
		all = []string{"archived = 0"}
	}
	if f.Mode != "" {
		all, values = append(all, "mode = ?"), append(values, f.Mode)
	}
	if f.Parent != "" {
		all, values = append(all, isWithin, parentPart+" = ?"), append(values, f.Parent)
	}
	if !f.Since.IsZero() {
		all, values = append(all, "updated >= ?"), append(values, sqlrow.Nano(f.Since))
	}
	if f.Apart {
		all = append(all, parentPart+" NOT IN (SELECT id FROM plans)")
	}
	return strings.Join(all, " AND "), values
}

// summaryPart is the SQL of a text of a loop's summary, empty where it is missing or
// the summary is damaged.
func summaryPart(column, name string) string {
	return `coalesce(iif(json_valid(` + column + `), json_extract(` + column + `, '$.` + name + `'), ''), '')`
}

// parentPart is the run that a loop belongs to; isWithin is the condition of the index by
// it, which SQLite uses only where a query has it word by word.
var (
	parentPart = summaryPart("summary", "parent")
	isWithin   = parentPart + " <> ''"
)

// Entries tells about loops, newest first. Without an archived one in between, it
// costs nothing for loops it leaves out.
func (s *Store) Entries(ctx context.Context, f Filter) ([]Entry, error) {
	var out []Entry
	err := s.read(ctx, "list loops", func(tx *sql.Tx) (err error) {
		out, err = list(ctx, tx, f)
		return err
	})
	for i := range out {
		s.settle(ctx, &out[i])
	}
	return out, err
}

// Count returns how many loops the filter lets through, whatever its limit. It reads no
// record. Loops of plans are taken off those of all, since an index finds them.
func (s *Store) Count(ctx context.Context, f Filter) (n int, err error) {
	apart := f.Apart
	f.Apart = false
	where, values := f.where()
	err = s.read(ctx, "count loops", func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM loops WHERE `+where, values...).Scan(&n); err != nil || !apart {
			return err
		}
		var within int
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT id AS plan FROM plans) CROSS JOIN loops INDEXED BY loops_within
			ON `+parentPart+` = plan AND `+isWithin+` WHERE `+where, values...).Scan(&within)
		n -= within
		return err
	})
	return n, err
}

// query lists entries, newest first.
func (f Filter) query() (query string, values []any) {
	where, values := f.where()
	limit := -1
	if f.Limit > 0 {
		limit = f.Limit
	}
	from := ` FROM loops `
	if f.Unsettled { // SQLite takes any partial index that fits, also one with all that have ended
		from += `INDEXED BY loops_unsettled `
	}
	return `SELECT ` + entryColumns + from + `WHERE ` + where + ` ORDER BY num DESC LIMIT ?`, append(values, limit)
}

func list(ctx context.Context, tx *sql.Tx, f Filter) ([]Entry, error) {
	query, values := f.query()
	rows, err := tx.QueryContext(ctx, query, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Entry
	for rows.Next() {
		e, err := scanEntry(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

// settle finds out which owners live. A row that changed meanwhile is read
// again.
func (s *Store) settle(ctx context.Context, e *Entry) {
	if e.Status.Terminal() {
		return
	}
	e.Live = s.lives(*e)
	if e.crashed() && s.moved(ctx, *e) {
		if now, err := s.row(ctx, e.ID); err == nil {
			*e = now
		}
	}
	e.Crashed = e.crashed()
}
