package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// PlanLease is the right to write one plan's record.
type PlanLease struct {
	lease[plan.State, plan.Event]
	parts planParts // of the committed state
}

// Acquire returns the lease of a plan. A plan that never ran is recorded as first returns
// it; spec is the request of the run, and an empty one keeps the recorded one.
// A living owner keeps it (*HeldError), unless takeOver is set.
func (p Plans) Acquire(ctx context.Context, first plan.State, spec []byte, takeOver bool) (*PlanLease, error) {
	if err := loop.ValidID(first.ID); err != nil {
		return nil, err
	}
	l := &PlanLease{lease: newLease[plan.State, plan.Event](ctx, p.s, planRuns, first.ID)}
	held := false
	journal, err := p.s.auditRun(ctx, planRuns, first.ID)
	if err != nil {
		l.release()
		return nil, err
	}
	err = p.s.write(ctx, "acquire plan "+first.ID, func(tx *sql.Tx) error {
		r, err := p.s.planOf(ctx, tx, first.ID)
		if errors.Is(err, ErrNoPlan) {
			return l.create(ctx, tx, first, spec)
		}
		if err != nil {
			return err
		}
		if held, err = heldBy(p.s.planLock(first.ID), r.Epoch, r.Owner); err != nil {
			return err
		}
		if held && !takeOver {
			return &HeldError{Kind: recovery.Plan, What: first.ID, Owner: r.Owner}
		}
		if len(spec) == 0 {
			spec = r.Spec
		}
		l.num, l.epoch, l.seq, l.state, l.parts = r.num, r.Epoch+1, r.Seq, r.State, r.parts
		if err := journal.finish(ctx, tx, l.num, l.seq, &r.chain); err != nil {
			return err
		}
		if err := l.continueJournal(ctx, tx, r.chain); err != nil {
			return err
		}
		return l.raiseEpoch(ctx, tx, spec)
	})
	if err != nil {
		l.release()
		return nil, err
	}
	if held {
		p.s.poke(planRuns, first.ID) // the former owner has to find out
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
	return l.raiseEpoch(ctx, tx, spec)
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
