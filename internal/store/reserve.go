package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store/sqlrow"
)

// Reserve names the budgets that one more run of an agent reserves from, besides
// the loop's own and its plan's.
type Reserve struct {
	Session money.Session
	// Until is when the run is over at the latest.
	Until time.Time
	// Review: reviewers are to be asked, which is no attempt.
	Review bool
	// agent is the name of the agent that runs; reviewers, which run together,
	// have no name.
	agent string
}

// CommitReserved is Commit for the events that begin a run of the agent: every budget the
// run is paid from reserves its share in the same transaction, or the run is
// refused with a *money.RefusedError and nothing counts. It returns how long the
// run may take by the budgets; 0 is no bound.
func (l *LoopLease) CommitReserved(ctx context.Context, next loop.State, events []loop.Event, r Reserve) (wall time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := l.transition(next, events, nil)
	if err != nil {
		return 0, fmt.Errorf("begin a run of loop %s: %w", l.id, err)
	}
	err = l.write(ctx, "begin a run of loop "+l.id, func(tx *sql.Tx) (err error) {
		if err := l.openBudgets(ctx, tx, next, r); err != nil {
			return err
		}
		r.agent = next.Agent.Name
		if wall, err = l.reserve(ctx, tx, next.Parent, r); err != nil {
			return err
		}
		return l.record(ctx, tx, t)
	})
	if err != nil {
		return 0, err
	}
	l.state, l.seq, l.head = next, t.seq, t.head
	l.s.show(ctx, l.id)
	return wall, nil
}

// ReserveReview reserves budget for a review. It starts no recorded step: the transition
// that records the end of the review settles it.
func (l *LoopLease) ReserveReview(ctx context.Context, r Reserve) (wall time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Review = true
	err = l.write(ctx, "reserve for a review of loop "+l.id, func(tx *sql.Tx) (err error) {
		if err := l.compareEpoch(ctx, tx); err != nil {
			return err
		}
		if err := l.openBudgets(ctx, tx, l.state, r); err != nil {
			return err
		}
		wall, err = l.reserve(ctx, tx, l.state.Parent, r)
		return err
	})
	return wall, err
}

// Affords returns nil if the budgets can pay for one more run now, otherwise a *money.RefusedError.
func (l *LoopLease) Affords(ctx context.Context, session string) error {
	return l.s.read(ctx, "look at the budgets of loop "+l.id, func(tx *sql.Tx) error {
		of, err := l.scopes(ctx, tx, l.State().Parent, session)
		if err != nil {
			return err
		}
		all, err := l.s.balances(ctx, tx, of, l.num)
		if err != nil {
			return err
		}
		now := l.State()
		review, agent := now.Step == loop.StepGates, now.Agent.Name
		if review {
			agent = ""
		}
		if err := addDearest(ctx, tx, all, agent); err != nil {
			return err
		}
		_, err = money.AskAll(plain(all), review)
		return err
	})
}

// Balances are the budgets that the loop is paid from.
func (l *LoopLease) Balances(ctx context.Context, session string) (out []money.Balance, err error) {
	err = l.s.read(ctx, "read the budgets of loop "+l.id, func(tx *sql.Tx) (err error) {
		of, err := l.scopes(ctx, tx, l.State().Parent, session)
		if err != nil {
			return err
		}
		all, err := l.s.balances(ctx, tx, of, 0)
		out = plain(all)
		return err
	})
	return out, err
}

// scopes are the budgets that the loop is paid from.
func (l *LoopLease) scopes(ctx context.Context, tx *sql.Tx, parent, session string) ([]scoped, error) {
	return scopes(ctx, tx, l.num, l.id, parent, session)
}

// openBudgets creates the budgets of the loop and its session.
func (l *LoopLease) openBudgets(ctx context.Context, tx *sql.Tx, next loop.State, r Reserve) error {
	if next.Budget.Any() {
		if err := setBudget(ctx, tx, taskScope(l.num), next.Budget, false); err != nil {
			return err
		}
	}
	return openSession(ctx, tx, r.Session)
}

func openSession(ctx context.Context, tx *sql.Tx, s money.Session) error {
	if s.ID == "" || !s.Budget.Any() {
		return nil
	}
	return setBudget(ctx, tx, string(loop.SessionLevel)+":"+s.ID, s.Budget, false)
}

func (l *LoopLease) reserve(ctx context.Context, tx *sql.Tx, parent string, r Reserve) (time.Duration, error) {
	of, err := l.scopes(ctx, tx, parent, r.Session.ID)
	if err != nil {
		return 0, err
	}
	return l.s.reserve(ctx, tx, holder{num: l.num}, of, r)
}

// holder of a reservation: a loop by its number, for the run of its agent or of
// its reviewers; or a review of a plan, whose number is below zero.
type holder struct{ num, plan, epoch int64 }

// holds reports whether the holder of the reservation still works.
func (s *Store) holds(ctx context.Context, tx *sql.Tx, h holder) (bool, error) {
	k, num := loopRuns, h.num
	if h.plan > 0 {
		k, num = planRuns, h.plan
	}
	e, err := k.entryWhere(ctx, tx, "num = ?", num)
	if errors.Is(err, k.missing) {
		return false, nil // removed: no owner lives
	}
	return err == nil && (h.plan == 0 || h.epoch == e.Epoch) && s.lives(e), err
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
	hold, err := money.AskAll(plain(all), r.Review)
	if err != nil {
		return 0, err
	}
	for i, b := range all {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO reservations (`+reservationColumns+`) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
			 ON CONFLICT (holder, scope) DO UPDATE SET money = ?5, tokens = ?6, attempts = ?7, at = ?8, until = ?9, agent = ?10`,
			h.num, h.plan, h.epoch, b.scope, hold[i].MoneyMicroUSD, hold[i].Tokens, hold[i].Attempts, sqlrow.Nano(s.o.Now()), sqlrow.Nano(r.Until), r.agent)
		if err != nil {
			return 0, err
		}
	}
	return money.LeastTime(plain(all)), nil
}

type reservation struct {
	holder
	scope string
	money.Reservation
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
		var at, until int64
		if err := rows.Scan(&r.num, &r.plan, &r.epoch, &r.scope, &r.Held.MoneyMicroUSD, &r.Held.Tokens, &r.Held.Attempts, &at, &until, &r.Agent); err != nil {
			return nil, err
		}
		r.At, r.Until = sqlrow.Time(at), sqlrow.Time(until)
		out = append(out, r)
	}
	return out, rows.Err()
}
