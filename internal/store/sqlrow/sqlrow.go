// Package sqlrow reads and writes the rows of the databases of store, limits and outbox:
// the rows of a query one by one, and times as the number that a column holds.
package sqlrow

import (
	"context"
	"database/sql"
	"time"
)

// Nano returns a time as Unix nanoseconds; the zero time is 0.
func Nano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// Time returns the time, in UTC, of which n are the Unix nanoseconds; 0 is the zero time.
func Time(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// Each calls f for every row of a query, until it fails.
func Each(ctx context.Context, tx *sql.Tx, f func(*sql.Rows) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Column returns the values of a query's only column.
func Column[T any](ctx context.Context, tx *sql.Tx, query string, args ...any) (all []T, err error) {
	err = Each(ctx, tx, func(rows *sql.Rows) error {
		var one T
		err := rows.Scan(&one)
		all = append(all, one)
		return err
	}, query, args...)
	return all, err
}
