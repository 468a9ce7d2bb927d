package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// Begin is Commit for the events that begin a run of the agent: every budget the
// run is paid from reserves its share in the same transaction, or the run is
// refused with a *money.RefusedError and nothing counts. It answers how long the
// run may take by the budgets; 0 is no bound.
func (l *Lease) Begin(ctx context.Context, next loop.State, events []loop.Event, r Reserve) (wall time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := l.transition(next, events, nil)
	if err != nil {
		return 0, fmt.Errorf("begin a run of loop %s: %w", l.id, err)
	}
	err = l.s.write(ctx, "begin a run of loop "+l.id, func(tx *sql.Tx) (err error) {
		if err := l.openBudgets(ctx, tx, next, r); err != nil {
			return err
		}
		if wall, err = l.reserve(ctx, tx, next, r); err != nil {
			return err
		}
		return l.carryOut(ctx, tx, t)
	})
	if err != nil {
		return 0, err
	}
	l.state, l.seq = next, t.seq
	l.s.show(ctx, l.id)
	return wall, nil
}

// Hold reserves what a review may use. It begins nothing that the record knows:
// the transition that tells how the review ended settles it.
func (l *Lease) Hold(ctx context.Context, r Reserve) (wall time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Review = true
	err = l.s.write(ctx, "reserve for a review of loop "+l.id, func(tx *sql.Tx) (err error) {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		if err := l.openBudgets(ctx, tx, l.state, r); err != nil {
			return err
		}
		wall, err = l.reserve(ctx, tx, l.state, r)
		return err
	})
	return wall, err
}

// Room says whether a run could begin now: nil, or a *money.RefusedError.
func (l *Lease) Room(ctx context.Context, session string) error {
	return l.s.read(ctx, "look at the budgets of loop "+l.id, func(tx *sql.Tx) error {
		all, err := l.s.balances(ctx, tx, l.num, l.id, l.State().Parent, session, l.num)
		if err != nil {
			return err
		}
		_, err = ask(all, l.State().Step == loop.StepGates)
		return err
	})
}

// Balances are the budgets that the loop is paid from.
func (l *Lease) Balances(ctx context.Context, session string) (out []money.Balance, err error) {
	err = l.s.read(ctx, "read the budgets of loop "+l.id, func(tx *sql.Tx) (err error) {
		out, err = l.s.balances(ctx, tx, l.num, l.id, l.State().Parent, session, 0)
		return err
	})
	return out, err
}

// openBudgets makes those that the loop and its session bring along.
func (l *Lease) openBudgets(ctx context.Context, tx *sql.Tx, next loop.State, r Reserve) error {
	if next.Budget.Any() {
		if err := setBudget(ctx, tx, taskScope(l.num), next.Budget, false); err != nil {
			return err
		}
	}
	if r.Session == "" || !r.Limit.Any() {
		return nil
	}
	return setBudget(ctx, tx, string(loop.SessionLevel)+":"+r.Session, r.Limit, false)
}

// ask asks every budget. One that is used up says so before one that is only
// held by others. A review is no attempt: their number does not bound it.
func ask(all []money.Balance, review bool) (hold []loop.Amounts, err error) {
	var refused *money.RefusedError
	for _, b := range all {
		if review {
			b.Limit.Attempts = 0
		}
		h, v, part := b.Ask()
		if v == money.Spent || v == money.Busy && refused == nil {
			refused = &money.RefusedError{Balance: b, Part: part, Verdict: v}
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

func (l *Lease) reserve(ctx context.Context, tx *sql.Tx, next loop.State, r Reserve) (wall time.Duration, err error) {
	all, err := l.s.balances(ctx, tx, l.num, l.id, next.Parent, r.Session, l.num)
	if err != nil {
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
		scope := string(b.Level) + ":" + b.ID
		if b.Level == loop.TaskLevel {
			scope = taskScope(l.num)
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO reservations (`+reservationColumns+`) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
			 ON CONFLICT (loop, scope) DO UPDATE SET money = ?3, tokens = ?4, attempts = ?5, at = ?6, until = ?7`,
			l.num, scope, hold[i].MoneyMicroUSD, hold[i].Tokens, hold[i].Attempts, nano(l.s.o.Now()), nano(r.Until))
		if err != nil {
			return 0, err
		}
	}
	return wall, nil
}

// used is what the events that end a run tell of it.
type used struct {
	usage loop.Usage
	// costly: a part that nobody told may have cost something all the same.
	costly  bool
	attempt bool
	// What was told is not all of it: no less than the reservation is used.
	partMoney, partTokens bool
}

func usedBy(next loop.State, events []loop.Event) used {
	u := used{costly: true, attempt: next.Step == loop.StepCommit}
	// One that is cut off, or ended from outside, is not known to have cost nothing.
	for _, e := range events {
		switch e := e.(type) {
		case loop.AgentEnded:
			u.usage, u.costly = u.usage.Add(e.Outcome.Usage.Sound()), e.Outcome.Costly()
		case loop.Interrupted:
			u.usage = u.usage.Add(e.Usage.Sound())
		case loop.WorkFailed:
			u.review(e.Spent) // without any it was never started
		case loop.Asked:
			u.review(e.Spent)
		case loop.GateEnded:
			u.review(e.Result.Spent)
		}
	}
	return u
}

// review is what reviewers have used.
func (u *used) review(all []loop.AgentSpent) {
	u.costly = false
	for _, v := range all {
		u.usage = u.usage.Add(v.Usage.Sound())
		if v.CostUnknown > 0 {
			u.costly, u.partMoney = true, true
			u.partTokens = u.partTokens || v.Usage.Sound().TotalTokens() == nil
		}
	}
}

// reviewed says whether events tell how a review ended: reviewers held their
// share until then. What was cut off may have used all of it.
func reviewed(before, next loop.State, events []loop.Event) bool {
	if before.Step != loop.StepGates {
		return false
	}
	for _, e := range events {
		switch e.(type) {
		case loop.GateEnded, loop.WorkFailed, loop.Asked, loop.Interrupted:
			return true
		}
	}
	return next.Step != loop.StepGates || next.Status.Terminal()
}

// settleRun replaces what the loop's run reserved by what it has used. Where
// nobody told that, the reservation counts as used, and is remembered as such.
func (l *Lease) settleRun(ctx context.Context, tx *sql.Tx, u used) error {
	held, err := reservations(ctx, tx, `loop = ?`, l.num)
	if err != nil {
		return err
	}
	for _, r := range held {
		if err := l.settleIn(ctx, tx, r, u); err != nil {
			return err
		}
	}
	if len(held) == 0 {
		return nil
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM reservations WHERE loop = ?`, l.num)
	return err
}

func (l *Lease) settleIn(ctx context.Context, tx *sql.Tx, r reservation, u used) error {
	micro, assumedMicro := charge(u.usage.CostMicroUSD, r.money, u.costly, u.partMoney)
	tokens, assumedTokens := charge(u.usage.TotalTokens(), r.tokens, u.costly, u.partTokens)
	attempts := 0
	if u.attempt {
		attempts = 1
	}
	end := min(nano(l.s.o.Now()), r.until)
	_, err := tx.ExecContext(ctx,
		`UPDATE budgets SET money = money + ?2, tokens = tokens + ?3, attempts = attempts + ?4,
		   wall = wall + max(0, ?5 - max(?6, wall_to)), wall_to = max(wall_to, ?5),
		   assumed_money = assumed_money + ?7, assumed_tokens = assumed_tokens + ?8,
		   dearest_money = max(dearest_money, ?2 - ?7), dearest_tokens = max(dearest_tokens, ?3 - ?8)
		 WHERE scope = ?1`,
		r.scope, micro, tokens, attempts, end, r.at, assumedMicro, assumedTokens)
	return err
}

// charge is what a run costs a budget, and how much of that is only assumed.
func charge(known *int64, reserved int64, costly, part bool) (amount, assumed int64) {
	switch {
	case known != nil && part && reserved > *known:
		return reserved, reserved - *known
	case known != nil:
		return max(*known, 0), 0
	case costly:
		return reserved, reserved
	}
	return 0, 0
}
