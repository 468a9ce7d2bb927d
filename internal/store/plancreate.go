package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store/sqlrow"
)

// noSpec is the request of a plan without one: the column is not null.
const noSpec = "{}"

// Create records a new plan as first and acquires it, in one transaction. spec is the
// request of its run, in the encoding of the engine. A refusal (ErrPlanExists, a bad id)
// leaves no record behind.
func (p Plans) Create(ctx context.Context, first plan.State, spec []byte) (*PlanLease, error) {
	return p.CreateMoved(ctx, first, first, spec)
}

// CreateMoved is Create for a plan whose record is copied from another store. Its journal
// begins with first; now is kept as its state until the events are here.
func (p Plans) CreateMoved(ctx context.Context, first, now plan.State, spec []byte) (*PlanLease, error) {
	if err := loop.ValidID(first.ID); err != nil {
		return nil, err
	}
	if len(spec) == 0 {
		spec = []byte(noSpec)
	}
	l := p.s.newPlanLease(ctx, first.ID)
	err := p.s.write(ctx, "create plan "+first.ID, func(tx *sql.Tx) error {
		if err := planRuns.unused(ctx, tx, first.ID); err != nil {
			return err
		}
		if err := l.insert(ctx, tx, first, now, spec); err != nil {
			return err
		}
		return l.raiseEpoch(ctx, tx, spec)
	})
	if err != nil {
		l.drop()
		return nil, err
	}
	l.beats.Go(l.beat)
	return l, nil
}

// insert writes the rows of a new plan. Unlike that of a loop, its journal begins empty:
// the first event is the one that the planner commits.
func (l *PlanLease) insert(ctx context.Context, tx *sql.Tx, first, now plan.State, spec []byte) error {
	data, err := header(now)
	if err != nil {
		return err
	}
	base, err := json.Marshal(first)
	if err != nil {
		return err
	}
	r, err := tx.ExecContext(ctx,
		`INSERT INTO plans (id, epoch, seq, updated, owner, spec, data, settled) VALUES (?, 0, 0, ?, '{}', ?, ?, ?)`,
		first.ID, sqlrow.Nano(l.s.o.Now()), spec, data, now.Closed())
	if err != nil {
		return err
	}
	if l.num, err = r.LastInsertId(); err != nil {
		return err
	}
	l.epoch, l.seq, l.head = 1, 0, l.kind.genesis(first.ID)
	l.parts = planParts{header: digest(data)}
	if err := l.kind.register(ctx, tx, l.num, 0, base, nil); err != nil {
		return err
	}
	if err := l.writeTasks(ctx, tx, now.Tasks, &l.parts); err != nil {
		return err
	}
	l.state = now
	return nil
}
