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
	switch at, bus := s.loggedPos(); {
	case err != nil:
	case bus != nil:
		found = append(found, Problem{"views", s.busPath(), bus.Error()})
	case at < newest:
		found = append(found, Problem{"views", s.busPath(), "does not end with the newest event"})
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

// busPath is where the event bus should be.
func (s *Store) busPath() string {
	if s.o.Bus == "" {
		return filepath.Join(s.o.Views, logName)
	}
	return filepath.Join(filepath.Dir(s.o.Views), filepath.FromSlash(s.o.Bus))
}

// loggedPos is the position of the last event on the bus; err is the reason why
// it cannot be written.
func (s *Store) loggedPos() (pos int64, err error) {
	if s.o.Bus != "" {
		log, err := s.openSharedBus()
		if err != nil {
			return 0, err
		}
		defer log.discard()
		return log.pos, nil
	}
	root, err := os.OpenRoot(s.o.Views)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	log, err := openLog(root, false, s.logMost)
	if err != nil {
		return 0, err
	}
	return log.pos, nil
}
