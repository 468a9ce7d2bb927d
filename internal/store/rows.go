package store

import (
	"context"
	"database/sql"
)

// each calls f for every row of a query, until it fails.
func each(ctx context.Context, tx *sql.Tx, f func(*sql.Rows) error, query string, args ...any) error {
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

// column are the values of a query's only column.
func column[T any](ctx context.Context, tx *sql.Tx, query string, args ...any) (all []T, err error) {
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var one T
		err := rows.Scan(&one)
		all = append(all, one)
		return err
	}, query, args...)
	return all, err
}
