package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// PlanLease is the right to write one plan's record.
type PlanLease struct {
	lease[plan.State, plan.Event]
	parts planParts // of the committed state
}

// TakePlan acquires a plan. A plan that never ran is recorded as first returns
// it; spec is the request of the run, and an empty one keeps the recorded one.
// A living owner keeps it (*HeldError), unless takeOver is set.
func (s *Store) TakePlan(ctx context.Context, first plan.State, spec []byte, takeOver bool) (*PlanLease, error) {
	if err := loop.ValidID(first.ID); err != nil {
		return nil, err
	}
	l := &PlanLease{lease: newLease[plan.State, plan.Event](ctx, s, planRuns, first.ID)}
	held := false
	journal, err := s.auditRun(ctx, planRuns, first.ID)
	if err != nil {
		l.release()
		return nil, err
	}
	err = s.write(ctx, "acquire plan "+first.ID, func(tx *sql.Tx) error {
		r, err := s.planOf(ctx, tx, first.ID)
		if errors.Is(err, ErrNoPlan) {
			return l.create(ctx, tx, first, spec)
		}
		if err != nil {
			return err
		}
		if held, err = heldBy(s.planLock(first.ID), r.Epoch, r.Owner); err != nil {
			return err
		}
		if held && !takeOver {
			return &HeldError{Kind: recovery.Plan, What: first.ID, Owner: r.Owner}
		}
		if len(spec) == 0 {
			spec = r.Spec
		}
		l.num, l.epoch, l.seq, l.state, l.parts = r.num, r.Epoch+1, r.Seq, r.State, r.parts
		if err := l.begin(ctx, tx, r.chain, journal); err != nil {
			return err
		}
		return l.take(ctx, tx, spec)
	})
	if err != nil {
		l.release()
		return nil, err
	}
	if held {
		s.poke(planRuns, first.ID) // the former owner has to find out
	}
	l.beats.Go(l.beat)
	return l, nil
}

func (l *PlanLease) create(ctx context.Context, tx *sql.Tx, st plan.State, spec []byte) error {
	data, err := header(st)
	if err != nil {
		return err
	}
	r, err := tx.ExecContext(ctx,
		`INSERT INTO plans (id, epoch, seq, updated, owner, spec, data) VALUES (?, 0, 0, ?, '{}', ?, ?)`,
		st.ID, nano(l.s.o.Now()), spec, data)
	if err != nil {
		return err
	}
	if l.num, err = r.LastInsertId(); err != nil {
		return err
	}
	l.epoch, l.seq, l.head = 1, 0, l.kind.genesis(st.ID)
	l.parts = planParts{header: digest(data)}
	base, err := json.Marshal(st)
	if err != nil {
		return err
	}
	if err := l.kind.register(ctx, tx, l.num, 0, base, nil); err != nil {
		return err
	}
	if err := l.writeTasks(ctx, tx, st.Tasks, &l.parts); err != nil {
		return err
	}
	l.state = st
	return l.take(ctx, tx, spec)
}

// begin continues the journal at its newest event, if all of it is as it was
// recorded. Of one from before the chain the state is recorded.
func (l *PlanLease) begin(ctx context.Context, tx *sql.Tx, c chain, journal *audit) error {
	if err := journal.finish(ctx, tx, l.num, l.seq, &c); err != nil {
		return err
	}
	l.head = c.head
	if c.based {
		return nil
	}
	base, err := json.Marshal(l.state)
	if err != nil {
		return err
	}
	return l.kind.rebase(ctx, tx, l.num, l.seq, base)
}

// take raises the epoch; the lock comes first, as with loops.
func (l *PlanLease) take(ctx context.Context, tx *sql.Tx, spec []byte) (err error) {
	if err := l.holdLock(); err != nil {
		return err
	}
	owner, err := json.Marshal(l.s.myself())
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE plans SET epoch = ?, owner = ?, spec = ?, updated = ?, archived = 0 WHERE num = ?`,
		l.epoch, string(owner), spec, nano(l.s.o.Now()), l.num)
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

// Commit makes next the plan's state and records the events that led to it, in
// one transaction. Only the tasks that changed are written.
func (l *PlanLease) Commit(ctx context.Context, next plan.State, events []plan.Event, took ...int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(next.ID); err != nil {
		return fmt.Errorf("commit plan %s: %w", l.id, err)
	}
	data, err := header(next)
	if err != nil {
		return err
	}
	rows, err := encode(l.seq, events, plan.Encode)
	if err != nil {
		return err
	}
	seq, head := l.seq+int64(len(events)), l.head.follow(l.epoch, rows)
	parts := planParts{header: digest(data), spec: l.parts.spec, tasks: slices.Clone(l.parts.tasks)}
	err = l.write(ctx, "commit plan "+l.id, func(tx *sql.Tx) error {
		if err := l.advance(ctx, tx, seq, `data = ?`, data); err != nil {
			return err
		}
		if err := l.writeTasks(ctx, tx, next.Tasks, &parts); err != nil {
			return err
		}
		if err := l.append(ctx, tx, rows...); err != nil {
			return err
		}
		if err := l.kind.putSeal(ctx, tx, l.num, parts.seal(head)); err != nil {
			return err
		}
		return l.markTaken(ctx, tx, took)
	})
	if err == nil {
		l.state, l.seq, l.head, l.parts = next, seq, head, parts
	}
	return err
}

// header is the state without its tasks.
func header(st plan.State) ([]byte, error) {
	st.Tasks = nil
	return json.Marshal(st)
}

// writeTasks writes the tasks that changed, and notes the digests of all in parts.
func (l *PlanLease) writeTasks(ctx context.Context, tx *sql.Tx, tasks []plan.TaskState, parts *planParts) error {
	parts.tasks = slices.Grow(parts.tasks, len(tasks))[:len(tasks)]
	for i, t := range tasks {
		if i < len(l.state.Tasks) && l.state.Tasks[i] == t {
			continue
		}
		data, err := json.Marshal(t)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO plan_tasks (plan, n, data) VALUES (?, ?, ?) ON CONFLICT (plan, n) DO UPDATE SET data = excluded.data`,
			l.num, i, data)
		if err != nil {
			return err
		}
		parts.tasks[i] = digest(data)
	}
	if len(tasks) < len(l.state.Tasks) {
		_, err := tx.ExecContext(ctx, `DELETE FROM plan_tasks WHERE plan = ? AND n >= ?`, l.num, len(tasks))
		return err
	}
	return nil
}

// Hold reserves budget for reviewers of the plan, from the plan's budget and the
// session's, or fails with a *money.RefusedError. Several reservations may exist
// at once. Pass the number to Settle, whatever the result of the review; wall is
// how long they may take by the budgets, 0 is no bound.
func (l *PlanLease) Hold(ctx context.Context, session money.Session, until time.Time) (review int64, wall time.Duration, err error) {
	review = -1 - rand.Int64() // not used by another reservation
	err = l.write(ctx, "reserve for a review of plan "+l.id, func(tx *sql.Tx) error {
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

// Settle replaces the reservation of a review by the usage of its reviewers, and
// adds it to the cost of the plan's reviews. Cut off: the usage of missing
// reviewers is unknown, so the reservation counts.
func (l *PlanLease) Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error {
	u := used{}
	u.review(all)
	if cutOff {
		u.costly, u.partMoney, u.partTokens = true, true, true
	}
	return l.write(ctx, "settle a review of plan "+l.id, func(tx *sql.Tx) error {
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

// settleCut charges the reservations of reviews whose process is gone: their
// usage will never be reported.
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

// planHolds reports whether the plan run that made a reservation still works.
func (s *Store) planHolds(ctx context.Context, tx *sql.Tx, h holder) (bool, error) {
	var id, owner string
	err := tx.QueryRowContext(ctx, `SELECT id, owner FROM plans WHERE num = ? AND epoch = ?`, h.plan, h.epoch).Scan(&id, &owner)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return heldBy(s.planLock(id), h.epoch, decodeOwner(owner))
}

// PlanSpent returns the cost of the plan's own reviews, by reviewer; reviews of
// its tasks' gates are recorded with their loops.
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
