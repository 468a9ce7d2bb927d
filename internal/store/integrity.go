package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/store/sqlrow"
)

// Problem is a finding of Problems, for people.
type Problem struct {
	// Area is database, records, views, files or worktrees.
	Area string
	Path string
	What string
	// Archived: it is the record of a run that a user has put away.
	Archived bool
}

func (p Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.Area, p.Path, p.What) }

// Problems returns damage, views that differ from the database, and
// leftovers. It changes nothing; RebuildViews repairs views.
func (s *Store) Problems(ctx context.Context) ([]Problem, error) {
	var found []Problem
	err := s.read(ctx, "check the store", func(tx *sql.Tx) error {
		for _, check := range []func(context.Context, *sql.Tx) ([]Problem, error){
			s.checkDatabase, s.checkRecords, s.checkFiles, s.checkTrees, s.checkViews,
		} {
			p, err := check(ctx, tx)
			if err != nil {
				return err
			}
			found = append(found, p...)
		}
		return nil
	})
	if e, ok := errors.AsType[*CorruptError](err); ok {
		return append(found, Problem{Area: "database", Path: e.Path, What: e.Err.Error()}), nil
	}
	return found, err
}

func (s *Store) checkDatabase(ctx context.Context, tx *sql.Tx) (found []Problem, err error) {
	words, err := sqlrow.Column[string](ctx, tx, "PRAGMA integrity_check(10)")
	for _, what := range words {
		if what != "ok" {
			found = append(found, Problem{Area: "database", Path: s.dbPath(), What: what})
		}
	}
	return found, err
}

// checkRecords reads every state and every event.
func (s *Store) checkRecords(ctx context.Context, tx *sql.Tx) (found []Problem, err error) {
	all, err := s.damaged(ctx, tx)
	for _, d := range all {
		found = append(found, Problem{Area: "records", Path: fmt.Sprintf("%s %s", d.Kind, d.ID), What: d.String(), Archived: d.Archived})
	}
	return found, err
}

// checkFiles compares the directories with the rows.
func (s *Store) checkFiles(ctx context.Context, tx *sql.Tx) ([]Problem, error) {
	all, err := loopRuns.list(ctx, tx, Filter{Archived: true})
	if err != nil {
		return nil, err
	}
	at := map[string]bool{}
	var found []Problem
	for _, e := range all {
		dir := s.loopDir(e.ID)
		if e.Archived {
			dir = s.archiveDir(e.ID)
		}
		at[dir] = true
		if _, err := os.Lstat(dir); err != nil {
			found = append(found, Problem{Area: "files", Path: dir, What: "the loop's files are missing"})
		}
	}
	for _, sub := range []string{"loops", "archive"} {
		left, err := leftovers(filepath.Join(s.dir, sub), at)
		if err != nil {
			return nil, err
		}
		found = append(found, left...)
	}
	return append(found, s.halfMade()...), nil
}

func leftovers(dir string, known map[string]bool) ([]Problem, error) {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var found []Problem
	for _, f := range files {
		if path := filepath.Join(dir, f.Name()); !known[path] {
			found = append(found, Problem{Area: "files", Path: path, What: "left over: no loop of this name is recorded here"})
		}
	}
	return found, nil
}

func (s *Store) halfMade() []Problem {
	var found []Problem
	files, _ := os.ReadDir(s.dir)
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".new") || strings.HasSuffix(f.Name(), ".tmp") {
			found = append(found, Problem{Area: "files", Path: filepath.Join(s.dir, f.Name()), What: "left over from making the database or a copy of it"})
		}
	}
	return found
}

// checkTrees finds trees that their loops did not hand back.
func (s *Store) checkTrees(ctx context.Context, tx *sql.Tx) ([]Problem, error) {
	rows, err := tx.QueryContext(ctx, `SELECT t.path, t.state, coalesce(l.id, '') FROM trees t
		LEFT JOIN loops l ON l.num = t.loop WHERE t.loop <> 0 AND coalesce(l.ended, 1) = 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Problem
	for rows.Next() {
		var path, state, id string
		if err := rows.Scan(&path, &state, &id); err != nil {
			return nil, err
		}
		found = append(found, Problem{Area: "worktrees", Path: path, What: fmt.Sprintf("still %s for loop %q, which has ended", state, id)})
	}
	return found, rows.Err()
}

// checkViews compares what views say with the truth.
func (s *Store) checkViews(ctx context.Context, tx *sql.Tx) ([]Problem, error) {
	if s.o.Views == "" {
		return nil, nil
	}
	wrong := func(name, what string) Problem {
		return Problem{Area: "views", Path: filepath.Join(s.o.Views, name), What: what}
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
	active, err := loopRuns.list(ctx, tx, Filter{Active: true})
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
		found = append(found, Problem{Area: "views", Path: s.busPath(), What: bus.Error()})
	case at < newest:
		found = append(found, Problem{Area: "views", Path: s.busPath(), What: "does not end with the newest event"})
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
