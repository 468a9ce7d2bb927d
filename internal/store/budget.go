package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store/sqlrow"
)

// SetBudget bounds the spending of a loop, a plan or a session. Recorded usage
// stays; a limit without parts removes the bound.
func (s *Store) SetBudget(ctx context.Context, level loop.BudgetLevel, id string, limit loop.Amounts) error {
	return s.write(ctx, fmt.Sprintf("set the budget of the %s %s", level, id), func(tx *sql.Tx) error {
		scope, err := scopeOf(ctx, tx, level, id)
		if err != nil {
			return err
		}
		return setBudget(ctx, tx, scope, limit, true)
	})
}

// RaiseBudget changes the bound of one, also while others change it.
func (s *Store) RaiseBudget(ctx context.Context, level loop.BudgetLevel, id string, r loop.Raise) error {
	return s.write(ctx, fmt.Sprintf("raise the budget of the %s %s", level, id), func(tx *sql.Tx) error {
		scope, err := scopeOf(ctx, tx, level, id)
		if err != nil {
			return err
		}
		have, _, err := s.balance(ctx, tx, scoped{scope, level, id}, 0)
		if err != nil {
			return err
		}
		return setBudget(ctx, tx, scope, r.Over(have.Limit), true)
	})
}

// ForgetBudget removes a budget with its usage and reservations; its loop, plan
// or session begins anew.
func (s *Store) ForgetBudget(ctx context.Context, level loop.BudgetLevel, id string) error {
	return s.write(ctx, fmt.Sprintf("forget the budget of the %s %s", level, id), func(tx *sql.Tx) error {
		scope, err := scopeOf(ctx, tx, level, id)
		if err == nil {
			err = forgetBudget(ctx, tx, scope)
		}
		return err
	})
}

// Balance is how a budget stands; false: there is none.
func (s *Store) Balance(ctx context.Context, level loop.BudgetLevel, id string) (b money.Balance, found bool, err error) {
	err = s.read(ctx, fmt.Sprintf("read the budget of the %s %s", level, id), func(tx *sql.Tx) error {
		scope, err := scopeOf(ctx, tx, level, id)
		if err == nil {
			b, found, err = s.balance(ctx, tx, scoped{scope, level, id}, 0)
		}
		return err
	})
	return b, found, err
}

// Balances are those of a loop that exist: its own, its plan's, and that of a
// session.
func (s *Store) Balances(ctx context.Context, id, session string) (out []money.Balance, err error) {
	err = s.read(ctx, "read the budgets of loop "+id, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		of, err := scopes(ctx, tx, e.num, id, e.Parent, session)
		if err != nil {
			return err
		}
		all, err := s.balances(ctx, tx, of, 0)
		out = plain(all)
		return err
	})
	return out, err
}

// scoped is where a budget stands in the tables.
type scoped struct {
	scope string
	level loop.BudgetLevel
	id    string
}

// scopes are the budgets that a run of a loop is paid from.
func scopes(ctx context.Context, tx *sql.Tx, num int64, id, parent, session string) ([]scoped, error) {
	all, err := shared(ctx, tx, parent, session)
	return append([]scoped{{taskScope(num), loop.TaskLevel, id}}, all...), err
}

// shared are those that loops have in common: their plan's, those of the plans in
// whose tasks' place it is run, and the session's.
func shared(ctx context.Context, tx *sql.Tx, parent, session string) ([]scoped, error) {
	var out []scoped
	plans, err := planAndAncestors(ctx, tx, parent)
	for _, id := range plans {
		out = append(out, scoped{string(loop.PlanLevel) + ":" + id, loop.PlanLevel, id})
	}
	if session != "" {
		out = append(out, scoped{string(loop.SessionLevel) + ":" + session, loop.SessionLevel, session})
	}
	return out, err
}

// planAndAncestors are a plan and the plans that it is a task of, according to
// its spec when it was last acquired; run by itself it has none.
func planAndAncestors(ctx context.Context, tx *sql.Tx, id string) ([]string, error) {
	if id == "" {
		return nil, nil
	}
	out := []string{id}
	var above sql.NullString
	err := tx.QueryRowContext(ctx,
		`SELECT CASE WHEN json_valid(CAST(spec AS TEXT)) THEN json_extract(CAST(spec AS TEXT), '$.ancestors') END FROM plans WHERE id = ?`,
		id).Scan(&above)
	if errors.Is(err, sql.ErrNoRows) || err == nil && above.String == "" {
		return out, nil
	}
	var ancestors []string
	if err == nil {
		err = json.Unmarshal([]byte(above.String), &ancestors)
	}
	return append(out, ancestors...), err
}

func taskScope(num int64) string { return fmt.Sprintf("%s:%d", loop.TaskLevel, num) }

func scopeOf(ctx context.Context, tx *sql.Tx, level loop.BudgetLevel, id string) (string, error) {
	if level != loop.TaskLevel {
		return string(level) + ":" + id, nil
	}
	e, err := loopRuns.entry(ctx, tx, id)
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
func (s *Store) balance(ctx context.Context, tx *sql.Tx, of scoped, but int64) (money.Balance, bool, error) {
	b, found, err := budgetIn(ctx, tx, of.scope)
	if err != nil || !found {
		return money.Balance{Level: of.level, ID: of.id}, false, err
	}
	held, err := reservations(ctx, tx, `scope = ?`, of.scope)
	if err != nil {
		return money.Balance{}, false, err
	}
	var open, dead []money.Reservation
	for _, r := range held {
		if r.num == but {
			continue
		}
		lives, err := s.holds(ctx, tx, r.holder)
		if err != nil {
			return money.Balance{}, false, err
		}
		if lives {
			open = append(open, r.Reservation)
		} else {
			dead = append(dead, r.Reservation)
		}
	}
	return b.Balance(of.level, of.id, s.o.Now(), open, dead), true, nil
}

// budgetIn reads a budget without its reservations.
func budgetIn(ctx context.Context, tx *sql.Tx, scope string) (b money.Budget, found bool, err error) {
	var limits string
	var wallTo int64
	err = tx.QueryRowContext(ctx,
		`SELECT limits, money, tokens, attempts, wall, wall_to, assumed_money, assumed_tokens
		 FROM budgets WHERE scope = ?`, scope).Scan(&limits, &b.Used.MoneyMicroUSD, &b.Used.Tokens, &b.Used.Attempts, &b.Used.Wall,
		&wallTo, &b.AssumedMicroUSD, &b.AssumedTokens)
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(limits), &b.Limit)
	}
	b.WallTo = sqlrow.Time(wallTo)
	return b, err == nil, err
}

// addDearest notes with each budget what the dearest run of the agent has used
// of it, and that of anybody; the zero amounts where none has ended yet.
func addDearest(ctx context.Context, tx *sql.Tx, all []kept, agent string) error {
	for i := range all {
		own, any := &all[i].Dearest, &all[i].Anybody
		err := tx.QueryRowContext(ctx,
			`SELECT coalesce(max(CASE agent WHEN ?2 THEN money END), 0), coalesce(max(CASE agent WHEN ?2 THEN tokens END), 0),
			   coalesce(max(money), 0), coalesce(max(tokens), 0) FROM dearest WHERE scope = ?1`, all[i].scope, agent).
			Scan(&own.MoneyMicroUSD, &own.Tokens, &any.MoneyMicroUSD, &any.Tokens)
		if err != nil {
			return err
		}
	}
	return nil
}

// dearer remembers what a run reported that has ended, where it was dearer than all before.
func dearer(ctx context.Context, tx *sql.Tx, scope, agent string, of loop.Amounts) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO dearest (scope, agent, money, tokens) VALUES (?1, ?2, ?3, ?4)
		 ON CONFLICT (scope, agent) DO UPDATE SET money = max(money, ?3), tokens = max(tokens, ?4)`,
		scope, agent, of.MoneyMicroUSD, of.Tokens)
	return err
}
