package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// Reserve is what a lease wants to reserve for one more run of its agent,
// besides of the loop's own budget and of its plan's.
type Reserve struct {
	// Session is the present one, Limit its budget.
	Session string
	Limit   loop.Amounts
	// Until is when the run is over at the latest.
	Until time.Time
	// Review: reviewers are to be asked, which is no attempt.
	Review bool
}

// SetBudget bounds what a loop, a plan or a session may spend. What was used
// stays used; a limit without parts bounds nothing any more.
func (s *Store) SetBudget(ctx context.Context, level loop.BudgetLevel, id string, limit loop.Amounts) error {
	return s.write(ctx, fmt.Sprintf("set the budget of the %s %s", level, id), func(tx *sql.Tx) error {
		scope, err := scopeOf(ctx, tx, level, id)
		if err != nil {
			return err
		}
		return setBudget(ctx, tx, scope, limit, true)
	})
}

// ForgetBudget removes a budget with what was used of it: what it was for begins
// anew.
func (s *Store) ForgetBudget(ctx context.Context, level loop.BudgetLevel, id string) error {
	return s.write(ctx, fmt.Sprintf("forget the budget of the %s %s", level, id), func(tx *sql.Tx) error {
		scope, err := scopeOf(ctx, tx, level, id)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM budgets WHERE scope = ?`, scope)
		}
		return err
	})
}

// Balance is how a budget stands; false: there is none.
func (s *Store) Balance(ctx context.Context, level loop.BudgetLevel, id string) (b money.Balance, found bool, err error) {
	err = s.read(ctx, fmt.Sprintf("read the budget of the %s %s", level, id), func(tx *sql.Tx) error {
		scope, err := scopeOf(ctx, tx, level, id)
		if err == nil {
			b, found, err = s.balance(ctx, tx, scope, level, id, 0)
		}
		return err
	})
	return b, found, err
}

// Balances are those of a loop that exist: its own, its plan's, and that of a
// session.
func (s *Store) Balances(ctx context.Context, id, session string) (out []money.Balance, err error) {
	err = s.read(ctx, "read the budgets of loop "+id, func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		out, err = s.balances(ctx, tx, e.num, id, e.Parent, session, 0)
		return err
	})
	return out, err
}

func (s *Store) balances(ctx context.Context, tx *sql.Tx, num int64, id, parent, session string, but int64) (out []money.Balance, err error) {
	for _, b := range scopes(num, id, parent, session) {
		balance, found, err := s.balance(ctx, tx, b.scope, b.level, b.id, but)
		if err != nil {
			return nil, err
		}
		if found {
			out = append(out, balance)
		}
	}
	return out, nil
}

// scoped is where a budget stands in the tables.
type scoped struct {
	scope string
	level loop.BudgetLevel
	id    string
}

// scopes are the budgets that a run of a loop is paid from.
func scopes(num int64, id, parent, session string) []scoped {
	out := []scoped{{taskScope(num), loop.TaskLevel, id}}
	if parent != "" {
		out = append(out, scoped{string(loop.PlanLevel) + ":" + parent, loop.PlanLevel, parent})
	}
	if session != "" {
		out = append(out, scoped{string(loop.SessionLevel) + ":" + session, loop.SessionLevel, session})
	}
	return out
}

func taskScope(num int64) string { return fmt.Sprintf("%s:%d", loop.TaskLevel, num) }

func scopeOf(ctx context.Context, tx *sql.Tx, level loop.BudgetLevel, id string) (string, error) {
	if level != loop.TaskLevel {
		return string(level) + ":" + id, nil
	}
	e, err := entryOf(ctx, tx, id)
	return taskScope(e.num), err
}

// setBudget writes the limit; without replace one that is there stands.
func setBudget(ctx context.Context, tx *sql.Tx, scope string, limit loop.Amounts, replace bool) error {
	data, err := json.Marshal(limit)
	if err != nil {
		return err
	}
	q := `INSERT INTO budgets (scope, limits) VALUES (?1, ?2) ON CONFLICT (scope) DO NOTHING`
	if replace {
		q = `INSERT INTO budgets (scope, limits) VALUES (?1, ?2) ON CONFLICT (scope) DO UPDATE SET limits = ?2`
	}
	_, err = tx.ExecContext(ctx, q, scope, string(data))
	return err
}

// balance reads one budget. The loop with the number but does not count among
// those that hold some of it.
func (s *Store) balance(ctx context.Context, tx *sql.Tx, scope string, level loop.BudgetLevel, id string, but int64) (b money.Balance, found bool, err error) {
	b = money.Balance{Level: level, ID: id}
	var limits string
	var wallTo int64
	err = tx.QueryRowContext(ctx,
		`SELECT limits, money, tokens, attempts, wall, wall_to, assumed_money, assumed_tokens, dearest_money, dearest_tokens
		 FROM budgets WHERE scope = ?`, scope).Scan(&limits, &b.Used.MoneyMicroUSD, &b.Used.Tokens, &b.Used.Attempts, &b.Used.Wall,
		&wallTo, &b.AssumedMicroUSD, &b.AssumedTokens, &b.Dearest.MoneyMicroUSD, &b.Dearest.Tokens)
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(limits), &b.Limit)
	}
	if err == nil {
		err = s.addHeld(ctx, tx, scope, wallTo, but, &b)
	}
	return b, err == nil, err
}

// addHeld adds what runs have reserved. Those of processes that died hold it
// until somebody takes their loops up; only living ones are under way.
func (s *Store) addHeld(ctx context.Context, tx *sql.Tx, scope string, wallTo, but int64, b *money.Balance) error {
	held, err := reservationsOf(ctx, tx, scope)
	if err != nil {
		return err
	}
	since := int64(0)
	for _, r := range held {
		if r.loop == but {
			continue
		}
		b.Held.MoneyMicroUSD += r.money
		b.Held.Tokens += r.tokens
		b.Held.Attempts += r.attempts
		e, err := entryByNum(ctx, tx, r.loop)
		if err != nil {
			return err
		}
		if !s.lives(e) {
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

type reservation struct {
	loop                    int64
	scope                   string
	money, tokens, attempts int64
	at, until               int64
}

const reservationColumns = `loop, scope, money, tokens, attempts, at, until`

func reservationsOf(ctx context.Context, tx *sql.Tx, scope string) ([]reservation, error) {
	return reservations(ctx, tx, `scope = ?`, scope)
}

func reservations(ctx context.Context, tx *sql.Tx, where string, value any) (out []reservation, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT `+reservationColumns+` FROM reservations WHERE `+where, value)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r reservation
		if err := rows.Scan(&r.loop, &r.scope, &r.money, &r.tokens, &r.attempts, &r.at, &r.until); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

func entryByNum(ctx context.Context, tx *sql.Tx, num int64) (Entry, error) {
	row := tx.QueryRowContext(ctx, `SELECT `+entryColumns+` FROM loops WHERE num = ?`, num)
	e, err := scanEntry(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Entry{Archived: true}, nil // removed: nobody lives
	}
	return e, err
}
