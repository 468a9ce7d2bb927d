package store

import (
	"context"
	"database/sql"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// used is the usage that the events at the end of a run report.
type used struct {
	usage loop.Usage
	// costly: a part without a reported cost may have cost something all the
	// same.
	costly  bool
	attempt bool
	// The report is incomplete: charge at least the reservation.
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

// review is the usage of reviewers.
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

// reviewed reports whether events contain the end of a review: reviewers held
// their share until then. A review that was cut off may have used all of it.
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

// settleHeld replaces a holder's reservation by its usage. If the usage was not
// reported, the reservation counts as used, and is recorded as such.
func (s *Store) settleHeld(ctx context.Context, tx *sql.Tx, holder int64, u used) error {
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

func (s *Store) settleIn(ctx context.Context, tx *sql.Tx, r reservation, u used) error {
	micro, assumedMicro := charge(u.usage.CostMicroUSD, r.money, u.costly, u.partMoney)
	tokens, assumedTokens := charge(u.usage.TotalTokens(), r.tokens, u.costly, u.partTokens)
	attempts := 0
	if u.attempt {
		attempts = 1
	}
	end := min(sqlrow.Nano(s.o.Now()), r.until)
	_, err := tx.ExecContext(ctx,
		`UPDATE budgets SET money = money + ?2, tokens = tokens + ?3, attempts = attempts + ?4,
		   wall = wall + max(0, ?5 - max(?6, wall_to)), wall_to = max(wall_to, ?5),
		   assumed_money = assumed_money + ?7, assumed_tokens = assumed_tokens + ?8
		 WHERE scope = ?1`,
		r.scope, micro, tokens, attempts, end, r.at, assumedMicro, assumedTokens)
	if err != nil {
		return err
	}
	return dearer(ctx, tx, r, micro-assumedMicro, tokens-assumedTokens)
}

// charge is the cost of a run to a budget, and how much of it is only assumed.
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
