package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// origin is a state from which the events after a number lead to the present one.
type origin struct {
	name string
	seq  int64
	data []byte
}

// repairState applies the events to the newest earlier state that can be read.
func (t *runRepair) repairState(ctx context.Context) error {
	origins, err := t.origins(ctx)
	if err == nil {
		err = t.keep(ctx)
	}
	if err != nil {
		return err
	}
	for _, o := range origins {
		if o.seq > t.seq {
			continue
		}
		switch t.k.name {
		case recovery.Loop:
			err = t.restoreLoop(ctx, o)
		default:
			err = t.restorePlan(ctx, o)
		}
		if !errors.Is(err, errRepair) {
			t.note(o.name)
			return err
		}
	}
	return errRepair
}

// origins are the state itself, where only its row is wrong, the state at which the
// journal begins, checkpoints, and the state of the copy.
func (t *runRepair) origins(ctx context.Context) (all []origin, err error) {
	add := func(tx *sql.Tx, name, query string, args ...any) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			o := origin{name: name}
			err := rows.Scan(&o.seq, &o.data)
			all = append(all, o)
			return err
		}, t.k.q(query), args...)
	}
	if t.k.name == recovery.Loop {
		if err := add(t.tx, "its state", `SELECT ?2, data FROM states WHERE num = ?1`, t.num, t.seq); err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(o origin) bool { return !bytes.Equal(t.seal, t.journal.head.seal(digest(o.data))) })
		if err := add(t.tx, "a checkpoint", `SELECT seq, state FROM checkpoints WHERE loop = ? ORDER BY n DESC`, t.num); err != nil {
			return nil, err
		}
	}
	if err := add(t.tx, "its events", `SELECT based, base FROM journals WHERE kind = '%kind' AND run = ? AND base IS NOT NULL`, t.num); err != nil {
		return nil, err
	}
	if t.other != nil && t.k.name == recovery.Loop {
		err = add(t.other, t.otherName, `SELECT r.seq, s.data FROM loops r JOIN states s ON s.num = r.num WHERE r.id = ?`, t.id)
	}
	if t.other != nil && t.k.name == recovery.Plan {
		err = add(t.other, t.otherName, `SELECT seq, data FROM plans WHERE id = ?`, t.id)
	}
	return all, err
}

// fold applies the events after a number to a state.
func fold[S any, E journal.Event](ctx context.Context, t *runRepair, st S, after int64, decode func(string, []byte) (E, error), apply func(S, E) (S, error)) (S, error) {
	err := sqlrow.Each(ctx, t.tx, func(rows *sql.Rows) error {
		var name string
		var data []byte
		if err := rows.Scan(&name, &data); err != nil {
			return err
		}
		e, err := decode(name, data)
		if err == nil {
			st, err = apply(st, e)
		}
		if err != nil {
			return errRepair
		}
		return nil
	}, t.k.q(`SELECT name, data FROM %events WHERE %key = ? AND seq > ? ORDER BY seq`), t.num, after)
	return st, err
}

func (t *runRepair) restoreLoop(ctx context.Context, o origin) error {
	var st loop.State
	if json.Unmarshal(o.data, &st) != nil || st.ID != t.id {
		return errRepair
	}
	st, err := fold(ctx, t, st, o.seq, loop.Decode, loop.Apply)
	if err != nil {
		return err
	}
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	summary, err := json.Marshal(summarise(st))
	if err != nil {
		return err
	}
	if _, err := t.tx.ExecContext(ctx, `INSERT INTO states (num, data) VALUES (?1, ?2) ON CONFLICT (num) DO UPDATE SET data = ?2`, t.num, data); err != nil {
		return err
	}
	_, err = t.tx.ExecContext(ctx, `UPDATE loops SET status = ?, reason = ?, ended = ?, deadline = ?, summary = ?, updated = ? WHERE num = ?`,
		st.Status, st.Reason, st.Status.Terminal(), sqlrow.Nano(st.EndsAt()), string(summary), sqlrow.Nano(t.s.o.Now()), t.num)
	if err != nil {
		return err
	}
	return t.reseal(ctx, digest(data))
}

// keep copies what is replaced into the table of what was damaged.
func (t *runRepair) keep(ctx context.Context) error {
	query := `SELECT ?1, ?2, ?3, ?4, data FROM states WHERE num = ?2`
	if t.k.name == recovery.Plan {
		query = `SELECT ?1, ?2, ?3, ?4, data FROM plans WHERE num = ?2 UNION ALL SELECT ?1, ?2, ?3, 'request', spec FROM plans WHERE num = ?2
			UNION ALL SELECT ?1, ?2, ?3, 'task ' || (n + 1), data FROM plan_tasks WHERE plan = ?2`
	}
	_, err := t.tx.ExecContext(ctx, `INSERT INTO damaged (kind, run, at, what, data) `+query, t.k.name, t.num, sqlrow.Nano(t.s.o.Now()), t.state)
	return err
}

// reseal registers the journal where that was lost, and seals the restored state.
func (t *runRepair) reseal(ctx context.Context, parts ...link) error {
	_, err := t.tx.ExecContext(ctx, `INSERT INTO journals (kind, run, first, seal) VALUES (?1, ?2, 0, ?3) ON CONFLICT DO UPDATE SET seal = ?3`,
		t.k.name, t.num, t.journal.head.seal(parts...))
	return err
}

func (t *runRepair) restorePlan(ctx context.Context, o origin) error {
	var st plan.State
	if json.Unmarshal(o.data, &st) != nil || st.ID != t.id {
		return errRepair
	}
	if o.name == t.otherName {
		tasks, err := sqlrow.Column[[]byte](ctx, t.other, `SELECT t.data FROM plan_tasks t JOIN plans p ON p.num = t.plan WHERE p.id = ? ORDER BY t.n`, t.id)
		if err != nil {
			return err
		}
		st.Tasks = make([]plan.TaskState, len(tasks))
		for i, data := range tasks {
			if json.Unmarshal(data, &st.Tasks[i]) != nil {
				return errRepair
			}
		}
	}
	st, err := fold(ctx, t, st, o.seq, plan.Decode, plan.Apply)
	if err != nil {
		return err
	}
	data, err := header(st)
	if err != nil {
		return err
	}
	if _, err := t.tx.ExecContext(ctx, `UPDATE plans SET data = ?, settled = ?, updated = ? WHERE num = ?`, data, st.Closed(), sqlrow.Nano(t.s.o.Now()), t.num); err != nil {
		return err
	}
	parts := planParts{header: digest(data)}
	l := &PlanLease{lease: lease[plan.State, plan.Event]{num: t.num}}
	l.state.Tasks = make([]plan.TaskState, 0)
	if _, err := t.tx.ExecContext(ctx, `DELETE FROM plan_tasks WHERE plan = ?`, t.num); err != nil {
		return err
	}
	if err := l.writeTasks(ctx, t.tx, st.Tasks, &parts); err != nil {
		return err
	}
	return t.restoreSpec(ctx, parts)
}

// restoreSpec takes the request of a plan from the plan itself or from the copy. It says
// which commands a person accepted, and no event does: it has to fit the seal.
func (t *runRepair) restoreSpec(ctx context.Context, parts planParts) error {
	specs, err := sqlrow.Column[[]byte](ctx, t.tx, `SELECT spec FROM plans WHERE num = ?`, t.num)
	if err == nil && t.other != nil {
		var more [][]byte
		more, err = sqlrow.Column[[]byte](ctx, t.other, `SELECT spec FROM plans WHERE id = ?`, t.id)
		specs = append(specs, more...)
	}
	if err != nil {
		return err
	}
	for _, spec := range specs {
		parts.spec = digest(spec)
		if bytes.Equal(parts.seal(t.journal.head), t.seal) {
			_, err := t.tx.ExecContext(ctx, `UPDATE plans SET spec = ? WHERE num = ?`, spec, t.num)
			return err
		}
	}
	return errRepair
}
