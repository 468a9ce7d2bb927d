package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/loop"
)

// First returns the state with which the journal of a loop begins: its events, applied to
// it, make its present state. ok is false for loops that an older version began.
func (s *Store) First(ctx context.Context, id string) (first loop.State, ok bool, err error) {
	err = s.read(ctx, "read the first state of loop "+id, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		var base []byte
		err = tx.QueryRowContext(ctx, `SELECT base FROM journals WHERE kind = 'loop' AND run = ? AND based = 1 AND base IS NOT NULL`, e.num).Scan(&base)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = json.Unmarshal(base, &first)
		}
		ok = err == nil
		return err
	})
	return first, ok, err
}

// CreateMoved records a loop whose record is copied from another store, and acquires it
// without admission: it is not run. The journal begins with first; now is kept as its state
// until the events are here.
func (s *Store) CreateMoved(ctx context.Context, first, now loop.State) (*LoopLease, error) {
	base, err := json.Marshal(first)
	if err != nil {
		return nil, fmt.Errorf("record loop %s: %w", first.ID, err)
	}
	l := s.newLoopLease(ctx, first.ID)
	if err := s.createOn(ctx, l, now, Admission{}, l.holdLock, base); err != nil {
		l.drop()
		return nil, err
	}
	l.beats.Go(l.beat)
	s.show(ctx, first.ID)
	return l, nil
}

// Unarchive brings an archived loop back, which is moved here again.
func (s *Store) Unarchive(ctx context.Context, id string) error {
	moved := false
	err := s.write(ctx, fmt.Sprintf("unarchive loop %q", id), func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil || !e.Archived {
			return err
		}
		if moved, err = s.move(s.archiveDir(id), s.loopDir(id)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE loops SET archived = 0, ended = ? WHERE num = ?`, e.Status.Terminal(), e.num)
		return err
	})
	if err != nil {
		if moved {
			_, _ = s.move(s.loopDir(id), s.archiveDir(id))
		}
		return err
	}
	s.show(ctx, id)
	return nil
}
