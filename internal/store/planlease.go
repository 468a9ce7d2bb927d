package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"ralph/internal/plan"
	"ralph/internal/store/sqlrow"
)

// PlanLease is the right to write one plan's record.
type PlanLease struct {
	lease[plan.State, plan.Event]
	parts planParts // of the committed state
}

func (s *Store) newPlanLease(ctx context.Context, id string) *PlanLease {
	return &PlanLease{lease: newLease[plan.State, plan.Event](ctx, s, planRuns, id)}
}

// Acquire returns the lease of a plan in any status, or ErrNoPlan. spec replaces the
// recorded request; an empty one keeps it. A living owner keeps the lease (*HeldError)
// unless takeOver is set. An archived plan is listed again.
func (p Plans) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (*PlanLease, error) {
	l := p.s.newPlanLease(ctx, id)
	err := l.acquire(ctx, func(tx *sql.Tx, journal *audit) (tookOver bool, err error) {
		e, err := planRuns.entry(ctx, tx, id)
		if err != nil {
			return false, err
		}
		c, err := planReader().content(ctx, tx, e)
		if err != nil {
			return false, err
		}
		if tookOver, err = p.s.mayTake(planRuns, id, e.Epoch, e.Owner, takeOver); err != nil {
			return tookOver, err
		}
		if len(spec) == 0 {
			spec = c.spec
		}
		l.num, l.epoch, l.seq, l.state = e.num, e.Epoch+1, e.Seq, c.state
		l.parts = planParts{c.parts[0], c.parts[1], c.parts[2:]}
		if err := journal.finish(ctx, tx, l.num, l.seq, &c.chain); err != nil {
			return tookOver, err
		}
		if err := l.continueJournal(ctx, tx, c.chain); err != nil {
			return tookOver, err
		}
		return tookOver, l.raiseEpoch(ctx, tx, spec)
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// raiseEpoch raises the epoch; the lock comes first, as with loops.
func (l *PlanLease) raiseEpoch(ctx context.Context, tx *sql.Tx, spec []byte) (err error) {
	if err := l.holdLock(); err != nil {
		return err
	}
	owner, err := json.Marshal(l.s.myself())
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE plans SET epoch = ?, owner = ?, spec = ?, updated = ?, archived = 0 WHERE num = ?`,
		l.epoch, string(owner), spec, sqlrow.Nano(l.s.o.Now()), l.num)
	if err != nil {
		return err
	}
	l.parts.spec = digest(spec)
	if err := l.kind.putSeal(ctx, tx, l.num, l.parts.seal(l.head)); err != nil {
		return err
	}
	return l.settleCut(ctx, tx)
}

// Release ends the lease. A plan that was left running counts as crashed.
func (l *PlanLease) Release(context.Context) error {
	l.release()
	return nil
}
