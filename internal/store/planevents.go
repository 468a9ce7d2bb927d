package store

import (
	"context"
	"database/sql"
)

// ArchivePlan takes a plan out of sight, or back into it.
func (s *Store) ArchivePlan(ctx context.Context, id string, archived bool) error {
	return s.write(ctx, "archive plan "+id, func(tx *sql.Tx) error {
		num, err := planRuns.numOf(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE plans SET archived = ? WHERE num = ?`, archived, num)
		return err
	})
}

// Approve remembers that a person accepted the commands of a plan, by their
// digest; Approved reports whether exactly these commands were accepted.
func (s *Store) Approve(ctx context.Context, id, digest, by string) error {
	return s.write(ctx, "approve the commands of plan "+id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO plan_approvals (plan, digest, at, by) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			id, digest, nano(s.o.Now()), by)
		return err
	})
}

// Approved reports whether a person accepted these commands for the plan.
func (s *Store) Approved(ctx context.Context, id, digest string) (bool, error) {
	n := 0
	err := s.read(ctx, "read the approvals of plan "+id, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM plan_approvals WHERE plan = ? AND digest = ?`, id, digest).Scan(&n)
	})
	return n > 0, err
}
