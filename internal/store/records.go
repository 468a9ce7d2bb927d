package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"ralph/internal/loop"
)

// Records is List with the full record of each loop, in one query for commands
// that show many. An ended loop has no owner here.
func (s *Store) Records(ctx context.Context, f Filter) ([]Record, error) {
	var entries []Entry
	var states []loop.State
	err := s.read(ctx, "list loops", func(tx *sql.Tx) (err error) {
		if entries, err = list(ctx, tx, f); err == nil {
			states, err = statesOf(ctx, tx, entries)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]Record, len(entries))
	for i, e := range entries {
		if out[i], err = s.record(ctx, e, states[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// record finds out whether the owner lives. A row that changed meanwhile is
// read again.
func (s *Store) record(ctx context.Context, e Entry, st loop.State) (Record, error) {
	e.Live = !e.Status.Terminal() && s.lives(e)
	if e.crashed() && s.moved(ctx, e) {
		return s.Load(ctx, e.ID)
	}
	return s.withRecovery(ctx, e, s.recordOf(e, st))
}

func statesOf(ctx context.Context, tx *sql.Tx, entries []Entry) ([]loop.State, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	one, err := tx.PrepareContext(ctx, `SELECT data FROM states WHERE num = ?`)
	if err != nil {
		return nil, err
	}
	defer one.Close()
	out := make([]loop.State, len(entries))
	for i, e := range entries {
		var data []byte
		if err := one.QueryRowContext(ctx, e.num).Scan(&data); err != nil {
			return nil, fmt.Errorf("read state of loop %s: %w", e.ID, err)
		}
		if err := json.Unmarshal(data, &out[i]); err != nil {
			return nil, fmt.Errorf("read state of loop %s: %w", e.ID, err)
		}
	}
	return out, nil
}
