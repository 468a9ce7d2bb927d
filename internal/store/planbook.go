package store

import (
	"context"
	"database/sql"
	"errors"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store/sqlrow"
)

// The budget of a plan moves with it. While the plan is away its budget is set aside: it bounds
// nothing here, and is there again where the plan is continued without the server.

const (
	atHand  = string(loop.PlanLevel) + ":"
	setAway = "moved " + string(loop.PlanLevel) + ":"
)

// Book is the budget of a plan at rest, of which a process that is gone has used what it held;
// nil is none.
func (p Plans) Book(ctx context.Context, id string) (book *money.Book, err error) {
	err = p.s.read(ctx, "read the budget of the plan "+id, func(tx *sql.Tx) error {
		budget, found, err := budgetIn(ctx, tx, atHand+id)
		if err != nil || !found {
			return err
		}
		book = &money.Book{Budget: budget}
		if book.Dearest, err = dearestIn(ctx, tx, atHand+id); err != nil {
			return err
		}
		held, err := reservations(ctx, tx, `scope = ?`, atHand+id)
		for _, r := range held {
			book.ChargeCutOff(r.Reservation, p.s.o.Now())
		}
		return err
	})
	return book, err
}

// SetBook replaces the budget of a plan at rest; nil is none.
func (p Plans) SetBook(ctx context.Context, id string, book *money.Book) error {
	return p.s.write(ctx, "set the budget of the plan "+id, func(tx *sql.Tx) error {
		if err := errors.Join(forgetBudget(ctx, tx, atHand+id), forgetBudget(ctx, tx, setAway+id)); err != nil || book == nil {
			return err
		}
		if err := setBudget(ctx, tx, atHand+id, book.Limit, true); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`UPDATE budgets SET money = ?, tokens = ?, attempts = ?, wall = ?, wall_to = ?, assumed_money = ?, assumed_tokens = ? WHERE scope = ?`,
			book.Used.MoneyMicroUSD, book.Used.Tokens, book.Used.Attempts, book.Used.Wall, sqlrow.Nano(book.WallTo),
			book.AssumedMicroUSD, book.AssumedTokens, atHand+id)
		for agent, most := range book.Dearest {
			if err == nil {
				err = dearer(ctx, tx, atHand+id, agent, most)
			}
		}
		return err
	})
}

// SetBookAside keeps the budget of a plan that has moved away. TakeBookBack undoes it.
func (p Plans) SetBookAside(ctx context.Context, id string) error {
	return p.moveBook(ctx, id, atHand, setAway)
}

// TakeBookBack makes the budget of a plan that is here again what it was when it moved away.
func (p Plans) TakeBookBack(ctx context.Context, id string) error {
	return p.moveBook(ctx, id, setAway, atHand)
}

func (p Plans) moveBook(ctx context.Context, id, from, to string) error {
	return p.s.write(ctx, "set the budget of the plan "+id+" aside", func(tx *sql.Tx) error {
		_, found, err := budgetIn(ctx, tx, from+id)
		if err != nil || !found {
			return err
		}
		if err := forgetBudget(ctx, tx, to+id); err != nil {
			return err
		}
		for _, table := range []string{"budgets", "dearest", "reservations"} {
			if _, err := tx.ExecContext(ctx, `UPDATE `+table+` SET scope = ? WHERE scope = ?`, to+id, from+id); err != nil {
				return err
			}
		}
		return nil
	})
}

func dearestIn(ctx context.Context, tx *sql.Tx, scope string) (map[string]loop.Amounts, error) {
	rows, err := tx.QueryContext(ctx, `SELECT agent, money, tokens FROM dearest WHERE scope = ?`, scope)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]loop.Amounts{}
	for rows.Next() {
		var agent string
		var of loop.Amounts
		if err := rows.Scan(&agent, &of.MoneyMicroUSD, &of.Tokens); err != nil {
			return nil, err
		}
		out[agent] = of
	}
	return out, rows.Err()
}

// forgetBudget removes a budget with its usage and reservations.
func forgetBudget(ctx context.Context, tx *sql.Tx, scope string) error {
	for _, table := range []string{"reservations", "dearest", "budgets"} {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE scope = ?`, scope); err != nil {
			return err
		}
	}
	return nil
}
