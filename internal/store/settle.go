package store

import (
	"context"
	"database/sql"

	"ralph/internal/money"
	"ralph/internal/store/sqlrow"
)

// settleHeld replaces a holder's reservation by its usage.
func (s *Store) settleHeld(ctx context.Context, tx *sql.Tx, holder int64, u money.Used) error {
	held, err := reservations(ctx, tx, `holder = ?`, holder)
	if err != nil {
		return err
	}
	for _, r := range held {
		if err := s.settleIn(ctx, tx, r, u); err != nil {
			return err
		}
	}
	if len(held) == 0 {
		return nil
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM reservations WHERE holder = ?`, holder)
	return err
}

func (s *Store) settleIn(ctx context.Context, tx *sql.Tx, r reservation, u money.Used) error {
	b, found, err := budgetIn(ctx, tx, r.scope)
	if err != nil || !found {
		return err
	}
	reported := b.Settle(r.Reservation, u, s.o.Now())
	if err := putUsage(ctx, tx, r.scope, b); err != nil {
		return err
	}
	return dearer(ctx, tx, r.scope, r.Agent, reported)
}

// putUsage records what was used of a budget.
func putUsage(ctx context.Context, tx *sql.Tx, scope string, b money.Budget) error {
	_, err := tx.ExecContext(ctx,
		`UPDATE budgets SET money = ?2, tokens = ?3, attempts = ?4, wall = ?5, wall_to = ?6, assumed_money = ?7, assumed_tokens = ?8 WHERE scope = ?1`,
		scope, b.Used.MoneyMicroUSD, b.Used.Tokens, b.Used.Attempts, b.Used.Wall, sqlrow.Nano(b.WallTo), b.AssumedMicroUSD, b.AssumedTokens)
	return err
}
