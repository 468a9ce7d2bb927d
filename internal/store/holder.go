package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// holder of a reservation: a loop by its number, for the run of its agent or of
// its reviewers; or a review of a plan, whose number is below zero.
type holder struct{ num, plan, epoch int64 }

// holds reports whether the holder of the reservation still works.
func (s *Store) holds(ctx context.Context, tx *sql.Tx, h holder) (bool, error) {
	if h.plan > 0 {
		return s.planHolds(ctx, tx, h)
	}
	row := tx.QueryRowContext(ctx, `SELECT `+entryColumns+` FROM loops WHERE num = ?`, h.num)
	e, err := scanEntry(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil // removed: no owner lives
	}
	return err == nil && s.lives(e), err
}

// ask asks every budget. One that is used up says so before one that is only
// held by others. A review is no attempt: their number does not bound it.
func ask(all []kept, review bool) (hold []loop.Amounts, err error) {
	var refused *money.RefusedError
	for _, b := range all {
		if review {
			b.Limit.Attempts = 0
		}
		h, v, part := b.Ask()
		if v == money.Spent || v == money.Busy && refused == nil {
			refused = &money.RefusedError{Balance: b.Balance, Part: part, Verdict: v}
			if v == money.Spent {
				return nil, refused
			}
		}
		hold = append(hold, h)
	}
	if refused != nil {
		return nil, refused
	}
	return hold, nil
}

// reserve holds a share of every budget that there is, or of none.
func (s *Store) reserve(ctx context.Context, tx *sql.Tx, h holder, from []scoped, r Reserve) (wall time.Duration, err error) {
	all, err := s.balances(ctx, tx, from, h.num)
	if err != nil {
		return 0, err
	}
	if err := addDearest(ctx, tx, all, r.agent); err != nil {
		return 0, err
	}
	hold, err := ask(all, r.Review)
	if err != nil {
		return 0, err
	}
	for i, b := range all {
		if left := b.TimeLeft(); left > 0 && (wall == 0 || left < wall) {
			wall = left
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO reservations (`+reservationColumns+`) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
			 ON CONFLICT (holder, scope) DO UPDATE SET money = ?5, tokens = ?6, attempts = ?7, at = ?8, until = ?9, agent = ?10`,
			h.num, h.plan, h.epoch, b.scope, hold[i].MoneyMicroUSD, hold[i].Tokens, hold[i].Attempts, nano(s.o.Now()), nano(r.Until), r.agent)
		if err != nil {
			return 0, err
		}
	}
	return wall, nil
}

type reservation struct {
	holder
	scope, agent            string
	money, tokens, attempts int64
	at, until               int64
}

const reservationColumns = `holder, plan, epoch, scope, money, tokens, attempts, at, until, agent`

func reservations(ctx context.Context, tx *sql.Tx, where string, value any) (out []reservation, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT `+reservationColumns+` FROM reservations WHERE `+where, value)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r reservation
		if err := rows.Scan(&r.num, &r.plan, &r.epoch, &r.scope, &r.money, &r.tokens, &r.attempts, &r.at, &r.until, &r.agent); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}
