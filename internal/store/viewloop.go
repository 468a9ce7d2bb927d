package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"

	"ralph/internal/loop"
)

// writeChanged writes the registry, and the views of every loop with an event
// after pos, of the wanted ones, and, where there are no views yet, of all
// active ones.
func (s *Store) writeChanged(ctx context.Context, tx *sql.Tx, root *os.Root, pos int64, w *wanted) error {
	active, err := loopRuns.list(ctx, tx, Filter{Active: true})
	if err != nil {
		return err
	}
	if err := s.writeRegistry(ctx, tx, root, active); err != nil {
		return err
	}
	ids, err := changed(ctx, tx, pos, w)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.writeLoop(ctx, tx, root, id); err != nil {
			return fmt.Errorf("views of loop %s: %w", id, err)
		}
	}
	return nil
}

func changed(ctx context.Context, tx *sql.Tx, pos int64, w *wanted) ([]string, error) {
	q, args := `SELECT id FROM loops WHERE num IN (SELECT loop FROM events WHERE pos > ?)`, []any{pos}
	switch {
	case w.all:
		q, args = `SELECT id FROM loops WHERE archived = 0`, nil
	case pos == 0:
		q, args = `SELECT id FROM loops WHERE ended = 0`, nil
	}
	rows, err := tx.QueryContext(ctx, q, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ids := w.ids
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		if !slices.Contains(w.ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}

// mostShown is how many attempts the views of a loop show: they are written at each
// step, and agents read them.
const mostShown = 100

// writeLoop writes or removes one loop's views.
func (s *Store) writeLoop(ctx context.Context, tx *sql.Tx, root *os.Root, id string) error {
	dir := "loops/" + id
	e, err := loopRuns.entry(ctx, tx, id)
	if errors.Is(err, ErrNoLoop) || err == nil && e.Archived {
		return root.RemoveAll(dir)
	}
	if err != nil {
		return err
	}
	st, _, err := stateOf(ctx, tx, e)
	if _, damaged := damageOf(err); damaged {
		st, err = e.damaged(err.Error()), nil
	}
	if err != nil {
		return err
	}
	history, err := historyOf(ctx, tx, e.num, st, st.Iteration-mostShown+1)
	if err != nil {
		return err
	}
	history = history[max(len(history)-mostShown, 0):]
	if err := root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	e.Live = s.lives(e)
	data, err := stateJSON(e, st, history)
	if err != nil {
		return err
	}
	if err := replace(root, dir+"/state.json", data); err != nil {
		return err
	}
	if st.Status == loop.StatusPassed {
		return root.RemoveAll(dir + "/state.md")
	}
	return replace(root, dir+"/state.md", []byte(stateMarkdown(st, history)))
}
