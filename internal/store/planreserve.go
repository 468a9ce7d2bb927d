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

// ReserveReview reserves budget for reviewers of the plan, from the plan's budget and the
// session's, or fails with a *money.RefusedError. Several reservations may exist
// at once. Pass the number to Settle, whatever the result of the review; wall is
// how long they may take by the budgets, 0 is no bound.
func (l *PlanLease) ReserveReview(ctx context.Context, r Reserve) (review int64, wall time.Duration, err error) {
	review = -1 - rand.Int64() // not used by another reservation
	err = l.write(ctx, "reserve for a review of plan "+l.id, func(tx *sql.Tx) error {
		if err := l.compareEpoch(ctx, tx); err != nil {
			return err
		}
		if err := openSession(ctx, tx, r.Session); err != nil {
			return err
		}
		h := holder{num: review, plan: l.num, epoch: l.epoch}
		of, err := shared(ctx, tx, l.id, r.Session.ID)
		if err != nil {
			return err
		}
		r.Review = true
		wall, err = l.s.reserve(ctx, tx, h, of, r)
		return err
	})
	return review, wall, err
}

// Settle replaces the reservation of a review by the usage of its reviewers, and
// adds it to the cost of the plan's reviews. Cut off: the usage of missing
// reviewers is unknown, so the reservation counts.
func (l *PlanLease) Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error {
	u := money.UsedInReview(all, cutOff)
	return l.write(ctx, "settle a review of plan "+l.id, func(tx *sql.Tx) error {
		if err := l.compareEpoch(ctx, tx); err != nil {
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

// settleCut charges the reservations of reviews whose process is gone: their
// usage will never be reported.
func (l *PlanLease) settleCut(ctx context.Context, tx *sql.Tx) error {
	left, err := reservations(ctx, tx, `plan = ?`, l.num)
	if err != nil {
		return err
	}
	for _, r := range left {
		if err := l.s.settleHeld(ctx, tx, r.num, money.Used{Costly: true}); err != nil {
			return err
		}
	}
	return nil
}

// Spent returns the cost of the plan's own reviews, by reviewer; reviews of
// its tasks' gates are recorded with their loops.
func (p Plans) Spent(ctx context.Context, id string) (out []loop.AgentSpent, err error) {
	err = p.s.read(ctx, "read what plan "+id+" has cost", func(tx *sql.Tx) error {
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
