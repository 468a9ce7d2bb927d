package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"ralph/internal/money"
)

// balances are those budgets that exist.
func (s *Store) balances(ctx context.Context, tx *sql.Tx, of []scoped, but int64) (out []kept, err error) {
	for _, b := range of {
		balance, found, err := s.balance(ctx, tx, b, but)
		if err != nil {
			return nil, err
		}
		if found {
			out = append(out, kept{balance, b.scope})
		}
	}
	return out, nil
}

// kept is a balance, and where it stands in the tables.
type kept struct {
	money.Balance
	scope string
}

func plain(all []kept) (out []money.Balance) {
	for _, b := range all {
		out = append(out, b.Balance)
	}
	return out
}

// balance reads one budget. The holder with the number but does not count among
// those that hold some of it.
func (s *Store) balance(ctx context.Context, tx *sql.Tx, of scoped, but int64) (b money.Balance, found bool, err error) {
	b = money.Balance{Level: of.level, ID: of.id}
	var limits string
	var wallTo int64
	err = tx.QueryRowContext(ctx,
		`SELECT limits, money, tokens, attempts, wall, wall_to, assumed_money, assumed_tokens
		 FROM budgets WHERE scope = ?`, of.scope).Scan(&limits, &b.Used.MoneyMicroUSD, &b.Used.Tokens, &b.Used.Attempts, &b.Used.Wall,
		&wallTo, &b.AssumedMicroUSD, &b.AssumedTokens)
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(limits), &b.Limit)
	}
	if err == nil {
		err = s.addHeld(ctx, tx, of.scope, wallTo, but, &b)
	}
	return b, err == nil, err
}

// addHeld adds the reservations of runs. A dead process keeps its reservation
// until its loop or plan is acquired again; only living ones are in progress.
func (s *Store) addHeld(ctx context.Context, tx *sql.Tx, scope string, wallTo, but int64, b *money.Balance) error {
	held, err := reservations(ctx, tx, `scope = ?`, scope)
	if err != nil {
		return err
	}
	since := int64(0)
	for _, r := range held {
		if r.num == but {
			continue
		}
		b.Held.MoneyMicroUSD += r.money
		b.Held.Tokens += r.tokens
		b.Held.Attempts += r.attempts
		lives, err := s.holds(ctx, tx, r.holder)
		if err != nil {
			return err
		}
		if !lives {
			continue
		}
		b.Open++
		if since == 0 || r.at < since {
			since = r.at
		}
	}
	if since > 0 {
		b.Used.Wall += time.Duration(max(nano(s.o.Now())-max(since, wallTo), 0))
	}
	return nil
}
