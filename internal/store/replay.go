package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// errUnplayable ends a replay whose events this version cannot apply.
var errUnplayable = errors.New("the events cannot be applied")

// Replay returns the state to which the events of a loop lead from the state with which
// its journal begins. ok is false where that is not known: an older version recorded no
// such state, or an event that this version cannot apply.
func (s *Store) Replay(ctx context.Context, id string) (st loop.State, ok bool, err error) {
	err = s.read(ctx, "replay the events of loop "+id, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		var from int64
		var base []byte
		err = tx.QueryRowContext(ctx, `SELECT based, base FROM journals WHERE kind = 'loop' AND run = ? AND base IS NOT NULL`, e.num).Scan(&from, &base)
		if errors.Is(err, sql.ErrNoRows) || err == nil && json.Unmarshal(base, &st) != nil {
			return nil //nolint:nilerr // a missing row is no error: there is no base
		}
		if err == nil {
			st, err = replayed(ctx, tx, e.num, st, from, nil)
		}
		if errors.Is(err, errUnplayable) {
			return nil
		}
		ok = err == nil
		return err
	})
	return st, ok, err
}

// replayed applies the events after a number. every is called with the states before and
// after every one of them, unless it is nil.
func replayed(ctx context.Context, tx *sql.Tx, num int64, st loop.State, after int64, every func(before, after loop.State)) (loop.State, error) {
	err := sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
		var name string
		var data []byte
		if err := rows.Scan(&name, &data); err != nil {
			return err
		}
		e, err := loop.Decode(name, data)
		before := st
		if err == nil {
			st, err = loop.Apply(st, e)
		}
		if err != nil {
			return errUnplayable
		}
		if every != nil {
			every(before, st)
		}
		return nil
	}, `SELECT name, data FROM events WHERE loop = ? AND seq > ? ORDER BY seq`, num, after)
	return st, err
}
