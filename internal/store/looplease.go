package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// LoopLease is the right to write one loop's record.
type LoopLease struct {
	lease[loop.State, loop.Event]
	// found is the newest message that lay there when the loop was acquired.
	found int64
	// slot is the machine's, once it was asked for.
	slot *slot
}

func (s *Store) newLoopLease(ctx context.Context, id string) *LoopLease {
	return &LoopLease{lease: newLease[loop.State, loop.Event](ctx, s, loopRuns, id)}
}

// Found reports whether a message lay there before the loop was acquired. Later
// ones were sent by a sender that saw this owner.
func (l *LoopLease) Found(m Message) bool { return m.ID <= l.found }

// Acquire returns the lease of a loop in any status: the right to write its record and to
// acquire worktrees for it. A living owner keeps it unless takeOver is set; then the owner
// is fenced and notified. The caller does not run the loop: to run it, AcquireToRun.
func (s *Store) Acquire(ctx context.Context, id string, takeOver bool) (*LoopLease, error) {
	return s.AcquireToRun(ctx, id, takeOver, Admission{})
}

// AcquireToRun is Acquire for a caller that will run the loop: one that holds no slot
// must be admitted like a new one.
func (s *Store) AcquireToRun(ctx context.Context, id string, takeOver bool, a Admission) (*LoopLease, error) {
	l := s.newLoopLease(ctx, id)
	err := l.acquire(ctx, func(tx *sql.Tx, journal *audit) (tookOver bool, err error) {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return false, err
		}
		switch {
		case e.Archived:
			return false, ErrArchived
		case e.Mode == loop.AgentDriven:
			return false, ErrDriven
		}
		if tookOver, err = s.mayTake(loopRuns, id, e.Epoch, e.Owner, takeOver); err != nil {
			return tookOver, err
		}
		a.Parent = e.Parent
		over := 0
		if !e.Status.Terminal() {
			if over, err = s.admit(ctx, tx, id, a); err != nil {
				return tookOver, err
			}
		}
		if err := l.raiseEpoch(ctx, tx, e, journal); err != nil || over == 0 {
			return tookOver, err
		}
		l.state.ForcedOver = over
		return tookOver, l.forced(ctx, tx, over)
	})
	if err != nil {
		return nil, err
	}
	s.show(ctx, id)
	return l, nil
}

// raiseEpoch raises the epoch. The lock comes first: no reader may see the new epoch
// without its owner.
func (l *LoopLease) raiseEpoch(ctx context.Context, tx *sql.Tx, e Entry, journal *audit) (err error) {
	c, err := l.read(ctx, tx, e)
	if err != nil {
		return err
	}
	l.epoch++
	if err := journal.finish(ctx, tx, e.num, e.Seq, &c); err != nil {
		return err
	}
	if err := c.compute(ctx, tx, l.kind, l.num, l.seq, l.id); err != nil {
		return err
	}
	if err := l.continueJournal(ctx, tx, c); err != nil {
		return err
	}
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(num), 0) FROM inbox WHERE loop = ?`, e.num).Scan(&l.found)
	if err != nil {
		return err
	}
	if err := l.holdLock(); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE loops SET epoch = ?, owner = ?, updated = ? WHERE num = ?`,
		l.epoch, l.s.ownerJSON(l.state), sqlrow.Nano(l.s.o.Now()), l.num)
	return err
}

// read is what the loop's row says, if it is not damaged.
func (l *LoopLease) read(ctx context.Context, tx *sql.Tx, e Entry) (c chain, err error) {
	l.num, l.epoch, l.seq = e.num, e.Epoch, e.Seq
	l.state, c, err = stateOf(ctx, tx, e)
	return c, err
}

func (s *Store) ownerJSON(st loop.State) string {
	b, err := json.Marshal(s.ownerOf(st))
	if err != nil {
		return "{}"
	}
	return string(b)
}

// Release ends the lease. A loop whose record is still running counts as
// crashed from then on.
func (l *LoopLease) Release(ctx context.Context) error {
	l.releaseSlot()
	if l.release() {
		l.s.show(ctx, l.id)
	}
	return nil
}
