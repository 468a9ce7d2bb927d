package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// attemptRow is one attempt as it is stored.
type attemptRow struct {
	n    int
	data []byte
}

// changedAttempts encodes the attempts that a transition changed. A state holds the
// newest attempts only: one that it has dropped was written before.
func changedAttempts(before, after []loop.Attempt) (rows []attemptRow, err error) {
	old := map[int]loop.Attempt{}
	for _, a := range before {
		old[a.N] = a
	}
	for _, a := range after {
		if was, ok := old[a.N]; ok && reflect.DeepEqual(was, a) {
			continue
		}
		data, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		rows = append(rows, attemptRow{a.N, data})
	}
	return rows, nil
}

func writeAttempts(ctx context.Context, tx *sql.Tx, num int64, rows []attemptRow) error {
	for _, r := range rows {
		_, err := tx.ExecContext(ctx, `INSERT INTO attempts (loop, n, data) VALUES (?1, ?2, ?3) ON CONFLICT (loop, n) DO UPDATE SET data = ?3`, num, r.n, r.data)
		if err != nil {
			return err
		}
	}
	return nil
}

// History returns all attempts of the loop with this state, the oldest first. Rows
// older than those in the state never change, so both need not be read at once. An
// attempt whose row is damaged is named by its number and the error.
func (s *Store) History(ctx context.Context, st loop.State) (all []loop.Attempt, err error) {
	if complete(st) {
		return st.Recent, nil
	}
	err = s.read(ctx, "read the attempts of loop "+st.ID, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, st.ID)
		if err == nil {
			all, err = historyOf(ctx, tx, e.num, st, 0)
		}
		return err
	})
	return all, err
}

// complete reports whether the state has the attempts from the first one on.
func complete(st loop.State) bool {
	return st.Iteration == 0 || len(st.Recent) > 0 && st.Recent[0].N <= 1
}

// historyOf returns the attempts from number first on, the oldest first, and at least
// those of the state.
func historyOf(ctx context.Context, tx *sql.Tx, num int64, st loop.State, first int) ([]loop.Attempt, error) {
	if complete(st) || first > 0 && len(st.Recent) > 0 && st.Recent[0].N <= first {
		return st.Recent, nil
	}
	all, before := []loop.Attempt{}, math.MaxInt
	if len(st.Recent) > 0 {
		before = st.Recent[0].N
	}
	err := sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
		var n int
		var data []byte
		if err := rows.Scan(&n, &data); err != nil {
			return err
		}
		var a loop.Attempt
		if err := json.Unmarshal(data, &a); err != nil {
			words := fmt.Sprintf("the record of this attempt is damaged: %v", err)
			a = loop.Attempt{N: n, Verdict: loop.Error, Error: words, Notes: []string{words}}
		}
		all = append(all, a)
		return nil
	}, `SELECT n, data FROM attempts WHERE loop = ? AND n >= ? AND n < ? ORDER BY n`, num, first, before)
	return append(all, st.Recent...), err
}
