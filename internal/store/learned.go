package store

import (
	"context"
	"database/sql"

	"ralph/internal/learn"
	"ralph/internal/store/sqlrow"
)

// The transaction that ends a loop also notes that its patterns are not
// extracted yet; the transaction that stores the patterns removes the note. So
// extraction happens exactly once, also when a process dies in between. The
// acceptance of a loop notes it again: its patterns count from then on.

// mostUnreviewed is how many patterns that no person has looked at are kept.
// Those go first that proved to be of no use, then the oldest.
const mostUnreviewed = 1000

// Unlearned lists loops that have ended or were accepted and that nothing was
// learned from since, at most 100 of them.
func (s *Store) Unlearned(ctx context.Context) (ids []string, err error) {
	err = s.read(ctx, "list loops to learn from", func(tx *sql.Tx) (err error) {
		ids, err = sqlrow.Column[string](ctx, tx, `SELECT l.id FROM unlearned u JOIN loops l ON l.num = u.loop ORDER BY u.loop LIMIT 100`)
		return err
	})
	return ids, err
}

// Learn stores the patterns of an ended loop, and whether the patterns shown to
// it helped. The first call after its end, and the first after its acceptance,
// return true; other calls change nothing.
func (s *Store) Learn(ctx context.Context, id string, taught []learn.Pattern, helped func(learn.Known) (helped, decided bool)) (done bool, err error) {
	err = s.write(ctx, "learn from loop "+id, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx, `DELETE FROM unlearned WHERE loop = ?`, e.num)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return err
		}
		done = true
		if err := rateUses(ctx, tx, e.num, helped); err != nil {
			return err
		}
		for _, p := range taught {
			if _, err := s.upsert(ctx, tx, p, id); err != nil {
				return err
			}
		}
		return forgetPatterns(ctx, tx, mostUnreviewed)
	})
	return done && err == nil, err
}

// forgetPatterns keeps so many of those that no person has looked at.
func forgetPatterns(ctx context.Context, tx *sql.Tx, most int) error {
	var n int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM patterns WHERE review = 'unreviewed'`).Scan(&n)
	if err != nil || n <= most {
		return err
	}
	over, err := numbers(ctx, tx, `
		SELECT p.num FROM patterns p LEFT JOIN pattern_uses u ON u.pattern = p.num
		WHERE p.review = 'unreviewed' GROUP BY p.num
		ORDER BY count(u.helped) >= 3 AND sum(u.helped) * 2 < count(u.helped), p.updated DESC, p.num DESC
		LIMIT -1 OFFSET ?`, most)
	if err != nil {
		return err
	}
	for _, num := range over {
		for _, q := range []string{`DELETE FROM patterns WHERE num = ?`, `DELETE FROM pattern_uses WHERE pattern = ?`} {
			if _, err := tx.ExecContext(ctx, q, num); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers reads one column.
func numbers(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]int64, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, rows.Err()
}
