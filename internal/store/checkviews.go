package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// checkViews compares what views say with the truth.
func (s *Store) checkViews(ctx context.Context, tx *sql.Tx) ([]Problem, error) {
	if s.o.Views == "" {
		return nil, nil
	}
	wrong := func(name, what string) Problem {
		return Problem{"views", filepath.Join(s.o.Views, name), what}
	}
	fi, err := os.Lstat(s.o.Views)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Problem{wrong("", "missing")}, nil
	case err != nil:
		return nil, err
	case !fi.IsDir():
		return []Problem{wrong("", "is no directory: views cannot be written")}, nil
	}
	active, err := list(ctx, tx, Filter{Active: true})
	if err != nil {
		return nil, err
	}
	var found []Problem
	if s.registryDiffers(active) {
		found = append(found, wrong("registry.json", "does not list the active loops as they are"))
	}
	for _, e := range active {
		name := filepath.Join("loops", e.ID, "state.json")
		var v stateView
		if s.readView(name, &v) != nil || v.Seq != e.Seq {
			found = append(found, wrong(name, "is not the present state"))
		}
	}
	var newest int64
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(pos), 0) FROM events`).Scan(&newest)
	if err == nil && s.loggedPos() < newest {
		found = append(found, wrong(logName, "does not end with the newest event"))
	}
	return found, err
}

func (s *Store) readView(name string, v any) error {
	data, err := os.ReadFile(filepath.Join(s.o.Views, name))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

func (s *Store) registryDiffers(active []Entry) bool {
	var v registryView
	if s.readView("registry.json", &v) != nil || len(v.Active) != len(active) {
		return true
	}
	for i, e := range active {
		if got := v.Active[i]; got.LoopID != e.ID || got.Epoch != e.Epoch || got.Iteration != e.Iteration {
			return true
		}
	}
	return false
}

func (s *Store) loggedPos() int64 {
	root, err := os.OpenRoot(s.o.Views)
	if err != nil {
		return 0
	}
	defer root.Close()
	log, err := openLog(root, false)
	if err != nil {
		return 0
	}
	return log.pos
}
