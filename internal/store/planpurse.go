package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// Hold reserves what reviewers of the plan may use, from the plan's budget and
// the session's, or refuses with a *money.RefusedError. Several may be under way.
// The number is for Settle, which each of them needs, whatever comes of it; wall
// is how long they may take by the budgets, 0 is no bound.
func (l *PlanLease) Hold(ctx context.Context, session money.Session, until time.Time) (review int64, wall time.Duration, err error) {
	review = -1 - rand.Int64() // nobody else has it
	err = l.s.write(ctx, "reserve for a review of plan "+l.id, func(tx *sql.Tx) error {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		if err := openSession(ctx, tx, session); err != nil {
			return err
		}
		h := holder{num: review, plan: l.num, epoch: l.epoch}
		of, err := shared(ctx, tx, l.id, session.ID)
		if err != nil {
			return err
		}
		wall, err = l.s.reserve(ctx, tx, h, of, Reserve{Until: until, Review: true})
		return err
	})
	return review, wall, err
}

// Settle replaces what a review has reserved by what its reviewers have used,
// and adds that to what the plan's reviews have cost. Cut off: nobody knows what
// those used that are not among them, so that the reservation counts.
func (l *PlanLease) Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error {
	u := used{}
	u.review(all)
	if cutOff {
		u.costly, u.partMoney, u.partTokens = true, true, true
	}
	return l.s.write(ctx, "settle a review of plan "+l.id, func(tx *sql.Tx) error {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		if err := l.s.settleHeld(ctx, tx, review, u); err != nil {
			return err
		}
		have, err := planSpent(ctx, tx, l.id)
		if err != nil {
			return err
		}
		data, err := json.Marshal(loop.AddSpent(have, all...))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE plans SET spent = ? WHERE num = ?`, string(data), l.num)
		return err
	})
}

// settleCut counts what reviews had reserved whose process is gone: nobody will
// ever tell what they used.
func (l *PlanLease) settleCut(ctx context.Context, tx *sql.Tx) error {
	left, err := reservations(ctx, tx, `plan = ?`, l.num)
	if err != nil {
		return err
	}
	for _, r := range left {
		if err := l.s.settleHeld(ctx, tx, r.num, used{costly: true}); err != nil {
			return err
		}
	}
	return nil
}

// planHolds says whether the run of a plan that reserved is still at work.
func (s *Store) planHolds(ctx context.Context, tx *sql.Tx, h holder) (bool, error) {
	var id string
	err := tx.QueryRowContext(ctx, `SELECT id FROM plans WHERE num = ? AND epoch = ?`, h.plan, h.epoch).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return lockedFrom(s.planLock(id), h.epoch)
}

// PlanSpent is what the reviews of a plan itself have cost, by reviewer: those of
// its tasks' gates stand with their loops.
func (s *Store) PlanSpent(ctx context.Context, id string) (out []loop.AgentSpent, err error) {
	err = s.read(ctx, "read what plan "+id+" has cost", func(tx *sql.Tx) error {
		out, err = planSpent(ctx, tx, id)
		return err
	})
	return out, err
}

func planSpent(ctx context.Context, tx *sql.Tx, id string) (out []loop.AgentSpent, err error) {
	var data string
	err = tx.QueryRowContext(ctx, `SELECT spent FROM plans WHERE id = ?`, id).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("plan %s: %w", id, ErrNoPlan)
	}
	if err == nil {
		err = json.Unmarshal([]byte(data), &out)
	}
	return out, err
}
