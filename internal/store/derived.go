package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// The summary of a loop, which lists show, and the rows of its attempts follow from its
// state and its events. They are no part of what is sealed, so that they are compared
// with these, and are written anew where they differ.

// derived is what the summary and the attempts of a loop must be. Without older, its
// older attempts cannot be told from its events.
type derived struct {
	state loop.State
	older []loop.Attempt
	whole bool
}

func derivedOf(ctx context.Context, tx *sql.Tx, e Entry, st loop.State) (derived, error) {
	d := derived{state: st, whole: complete(st)}
	if d.whole {
		return d, nil
	}
	var from int64
	var base []byte
	var begin loop.State
	err := tx.QueryRowContext(ctx, `SELECT based, base FROM journals WHERE kind = 'loop' AND run = ? AND base IS NOT NULL`, e.num).Scan(&from, &base)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (json.Unmarshal(base, &begin) != nil || begin.Iteration > 0) {
		return d, nil //nolint:nilerr // a missing row is no error: there is no base
	}
	if err != nil {
		return d, err
	}
	_, err = replayed(ctx, tx, e.num, begin, from, func(before, after loop.State) {
		for _, a := range before.Recent {
			if len(after.Recent) > 0 && a.N < after.Recent[0].N {
				d.older = append(d.older, a)
			}
		}
	})
	if errors.Is(err, errUnplayable) {
		return d, nil
	}
	d.whole = err == nil
	return d, err
}

// faultSummary is that of a row whose columns for lists are not those of its state.
const faultSummary = "its summary in lists is not that of its state"

// faults names what is not as it must be.
func (d derived) faults(ctx context.Context, tx *sql.Tx, e Entry) (what []string, err error) {
	if !sameSummary(e.Summary, summarise(d.state)) {
		what = append(what, faultSummary)
	}
	rows, err := attemptsOf(ctx, tx, e.num)
	if err != nil {
		return nil, err
	}
	for _, a := range d.state.Recent {
		if !sameJSON(rows[a.N], a) {
			what = append(what, fmt.Sprintf("attempt %d is not the one of its state", a.N))
		}
		delete(rows, a.N)
	}
	if !d.whole {
		for _, n := range slices.Sorted(maps.Keys(rows)) {
			if rows[n].N != n {
				what = append(what, fmt.Sprintf("attempt %d cannot be read", n))
			}
		}
		return what, nil
	}
	for _, a := range d.older {
		if got, ok := rows[a.N]; !ok || !sameJSON(essence(got), essence(a)) {
			what = append(what, fmt.Sprintf("attempt %d is not the one of its events", a.N))
		}
		delete(rows, a.N)
	}
	for _, n := range slices.Sorted(maps.Keys(rows)) {
		what = append(what, fmt.Sprintf("attempt %d was added", n))
	}
	return what, nil
}

func attemptsOf(ctx context.Context, tx *sql.Tx, num int64) (map[int]loop.Attempt, error) {
	all := map[int]loop.Attempt{}
	return all, sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
		var n int
		var data []byte
		if err := rows.Scan(&n, &data); err != nil {
			return err
		}
		var a loop.Attempt
		if json.Unmarshal(data, &a) != nil {
			a = loop.Attempt{N: -1}
		}
		all[n] = a
		return nil
	}, `SELECT n, data FROM attempts WHERE loop = ?`, num)
}

// sameSummary compares what every version writes alike.
func sameSummary(got, want Summary) bool {
	got.Next, want.Next = "", ""
	// Older versions do not record this.
	want.Closed = want.Closed && got.Closed
	if got.Judged == 0 {
		want.Judged = 0
	}
	return sameJSON(got, want)
}

func sameJSON(a, b any) bool {
	one, err := json.Marshal(a)
	two, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(one, two)
}

// essence is what was judged in an attempt, and how. The rest can differ between the
// version that recorded an event and the one that reads it.
func essence(a loop.Attempt) (all []any) {
	all = append(all, a.N, a.Commit, a.Tree, a.Verdict, a.FailedGate, a.Error, a.Files)
	for _, r := range a.Results {
		all = append(all, r.Gate, r.Verdict, r.Commit, r.OutputSHA256)
	}
	return all
}

// repairDerived writes what follows from the state and the events of a loop anew, where
// it is wrong or the state was restored.
func (t *runRepair) repairDerived(ctx context.Context) error {
	p, err := t.s.examineRun(ctx, t.tx, t.k, t.id)
	if err != nil || len(p.derived) == 0 {
		return err
	}
	if t.k.name == recovery.Plan {
		t.note("its state and its events")
		_, err = t.tx.ExecContext(ctx, `UPDATE plans SET settled = 0 WHERE num = ?`, t.num)
		return err
	}
	e, err := loopRuns.entry(ctx, t.tx, t.id)
	if err != nil {
		return err
	}
	st, _, err := stateOf(ctx, t.tx, e)
	if err != nil {
		return err
	}
	d, err := derivedOf(ctx, t.tx, e, st)
	if err != nil {
		return err
	}
	summary, err := json.Marshal(summarise(st))
	if err != nil {
		return err
	}
	const keep = `INSERT INTO damaged (kind, run, at, what, data) `
	at := sqlrow.Nano(t.s.o.Now())
	if _, err := t.tx.ExecContext(ctx, keep+`SELECT ?, num, ?, 'summary', summary FROM loops WHERE num = ?`, t.k.name, at, t.num); err != nil {
		return err
	}
	if _, err := t.tx.ExecContext(ctx, keep+`SELECT ?, loop, ?, 'attempt ' || n, data FROM attempts WHERE loop = ?`, t.k.name, at, t.num); err != nil {
		return err
	}
	if _, err := t.tx.ExecContext(ctx, `UPDATE loops SET summary = ? WHERE num = ?`, string(summary), t.num); err != nil {
		return err
	}
	if d.whole {
		if _, err := t.tx.ExecContext(ctx, `DELETE FROM attempts WHERE loop = ?`, t.num); err != nil {
			return err
		}
	}
	t.note("its state and its events")
	rows, err := changedAttempts(nil, append(d.older, st.Recent...))
	if err != nil {
		return err
	}
	return writeAttempts(ctx, t.tx, t.num, rows)
}
