package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// ErrSound is returned by Plans.SetAside for a plan whose record is not damaged, or that
// is not archived.
var ErrSound = errors.New("its record is not both damaged and archived")

// setAsidePrefix begins the text of the row that holds a plan's own row; the damage
// follows.
const setAsidePrefix = "set aside: "

// SetAside moves the rows of an archived plan whose record is damaged into the
// table of what was damaged, so that a new plan can have its name. It returns the tasks
// of the plan, or none where one cannot be read; they are not to be believed.
func (p Plans) SetAside(ctx context.Context, id string) (tasks []plan.TaskState, err error) {
	err = p.s.write(ctx, "set plan "+id+" aside", func(tx *sql.Tx) error {
		if _, err := planRuns.entry(ctx, tx, id); err != nil {
			return err
		}
		found, err := p.s.examineRun(ctx, tx, planRuns, id)
		if err != nil {
			return err
		}
		if !found.archived || len(found.findings()) == 0 {
			return ErrSound
		}
		if _, err := p.s.mayTake(planRuns, id, found.epoch, found.owner, false); err != nil {
			return err
		}
		tasks, _, err = planTasks(ctx, tx, found.num, id)
		if _, damaged := damageOf(err); err != nil && !damaged {
			return err
		}
		return p.s.movePlan(ctx, tx, found.num, found.damage())
	})
	return tasks, err
}

// movePlan keeps each row of a plan as JSON, with binary columns in hexadecimal.
func (s *Store) movePlan(ctx context.Context, tx *sql.Tx, num int64, d Damage) error {
	for _, part := range []struct{ table, key, what, row string }{
		{"plans", "num", "?4", `'id', id, 'epoch', epoch, 'seq', seq, 'updated', updated, 'owner', owner, 'spent', spent, 'spec', hex(spec), 'data', hex(data)`},
		{"plan_tasks", "plan", "'task ' || (n + 1)", `'data', hex(data)`},
		{"plan_events", "plan", "'event ' || seq", `'seq', seq, 'epoch', epoch, 'at', at, 'name', name, 'data', hex(data), 'hash', hex(hash)`},
		{"plan_inbox", "plan", "'message ' || num", `'at', at, 'kind', kind, 'text', text, 'by', by, 'taken', taken`},
		{"journals", "run", "'journal'", `'first', first, 'based', based, 'base', hex(base), 'seal', hex(seal)`},
	} {
		where := " FROM " + part.table + " WHERE " + part.key + " = ?1"
		if part.table == "journals" {
			where += " AND kind = ?2"
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO damaged (kind, run, at, what, data) SELECT ?2, ?1, ?3, iif(?4 = '', '', `+part.what+`), json_object(`+part.row+`)`+where,
			num, recovery.Plan, sqlrow.Nano(s.o.Now()), setAsidePrefix+d.String())
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE"+where, num, recovery.Plan)
		}
		if err != nil {
			return fmt.Errorf("keep %s: %w", part.table, err)
		}
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM recoveries WHERE kind = ? AND run = ?`, recovery.Plan, num)
	return err
}

// SetAside is a damaged plan whose name another plan may have now.
type SetAside struct {
	Damage
	At time.Time
}

// SetAsides returns the plans that were set aside, oldest first.
func (s *Store) SetAsides(ctx context.Context) (all []SetAside, err error) {
	err = s.read(ctx, "list the plans that were set aside", func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var a SetAside
			var what string
			var at int64
			err := rows.Scan(&a.ID, &what, &at)
			a.Kind, a.What, a.Archived, a.At = recovery.Plan, []string{strings.TrimPrefix(what, setAsidePrefix)}, true, sqlrow.Time(at)
			all = append(all, a)
			return err
		}, `SELECT coalesce(iif(json_valid(CAST(data AS TEXT)), json_extract(CAST(data AS TEXT), '$.id'), ''), ''), what, at FROM damaged
			WHERE kind = ? AND substr(what, 1, length(?2)) = ?2 ORDER BY num`, recovery.Plan, setAsidePrefix)
	})
	return all, err
}
