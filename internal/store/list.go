package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// Filter chooses loops or plans. Its fields are those of engine.Filter, which says what they
// mean, in the same order, so that one is converted into the other. Of Unsettled, a loop that
// older versions recorded may be listed that waits for nothing.
type Filter struct {
	Archived, Active, Ended, Unsettled bool
	Mode                               loop.Mode
	Parent                             string
	Apart                              bool
	Since                              time.Time
	Limit                              int
}

// listing is the SQL of what a Filter asks of the runs of one kind. A run that is archived
// counts as one that has ended.
type listing struct{ active, ended, unsettled, mode, of, inPlan string }

// Summaries of older versions lack whether a loop is in a plan.
var loopListing = listing{
	active: "ended = 0", ended: "ended = 1",
	unsettled: "archived = 0 AND ended = 1 AND " + summaryPart("summary", "settled") + " <> 1",
	mode:      "mode", of: isWithin + " AND " + parentPart + " = ?",
	inPlan: "(" + parentPart + " IN (SELECT id FROM plans) OR " + summaryPart("summary", "in_plan") + " = 1)",
}

// where is the condition of a query, with its values.
func (f Filter) where(l listing) (condition string, values []any) {
	var all []string
	add := func(is bool, sql string, value ...any) {
		if is {
			all, values = append(all, sql), append(values, value...)
		}
	}
	add(f.Unsettled, l.unsettled)
	add(f.Active, l.active)
	add(f.Ended, l.ended)
	add(!f.Archived && !f.Unsettled && !f.Active, "archived = 0") // which those imply
	add(f.Mode != "", l.mode+" = ?", f.Mode)
	add(f.Parent != "", l.of, f.Parent)
	add(!f.Since.IsZero(), "updated >= ?", sqlrow.Nano(f.Since))
	add(f.Apart, "NOT "+l.inPlan)
	return strings.Join(append(all, "1"), " AND "), values
}

// most is the limit of a query.
func (f Filter) most() int {
	if f.Limit > 0 {
		return f.Limit
	}
	return -1
}

// summaryPart is the SQL of a part of a loop's summary, or of other JSON, empty where it is
// missing or the JSON is damaged.
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
		s.refreshLiveness(ctx, &out[i])
	}
	return out, err
}

// Count returns how many loops the filter lets through, whatever its limit. It reads no
// record. Loops of plans are taken off those of all, since an index finds them.
func (s *Store) Count(ctx context.Context, f Filter) (n int, err error) {
	apart := f.Apart
	f.Apart = false
	where, values := f.where(loopListing)
	err = s.read(ctx, "count loops", func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM loops WHERE `+where, values...).Scan(&n); err != nil || !apart {
			return err
		}
		for _, from := range []string{
			`(SELECT id AS plan FROM plans) CROSS JOIN loops INDEXED BY loops_within ON ` + parentPart + ` = plan AND ` + isWithin + ` WHERE `,
			// of plans that are kept on a server
			`loops INDEXED BY loops_within WHERE ` + isWithin + ` AND ` + parentPart + ` NOT IN (SELECT id FROM plans) AND ` + summaryPart("summary", "in_plan") + ` = 1 AND `,
		} {
			var within int
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM `+from+where, values...).Scan(&within); err != nil {
				return err
			}
			n -= within
		}
		return nil
	})
	return n, err
}

// query lists entries, newest first.
func (f Filter) query() (query string, values []any) {
	where, values := f.where(loopListing)
	from := ` FROM loops `
	if f.Unsettled { // SQLite takes any partial index that fits, also one with all that have ended
		from += `INDEXED BY loops_unsettled `
	}
	return `SELECT ` + entryColumns + from + `WHERE ` + where + ` ORDER BY num DESC LIMIT ?`, append(values, f.most())
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

// refreshLiveness finds out which owners live. A row that changed meanwhile is read
// again.
func (s *Store) refreshLiveness(ctx context.Context, e *Entry) {
	if e.Status.Terminal() {
		return
	}
	e.Live = s.loopLives(*e)
	if e.crashed() && s.changedSince(ctx, *e) {
		if now, err := s.row(ctx, e.ID); err == nil {
			*e = now
		}
	}
	e.Crashed = e.crashed()
}
