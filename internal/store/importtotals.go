package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"ralph/internal/loop"
)

// Totals are loops that have ended, by how.
type Totals struct{ Passed, Failed, Aborted int }

// ImportTotals adds the loops that another runner counted and kept no record of
// to the registry, once for each source.
func (s *Store) ImportTotals(ctx context.Context, source, sha256 string, t Totals) (done Imported, err error) {
	err = s.write(ctx, "import "+source, func(tx *sql.Tx) error {
		if done, err = importOf(ctx, tx, source, sha256); err != nil || done.Already {
			return err
		}
		for status, n := range map[loop.Status]int{
			loop.StatusPassed: t.Passed, loop.StatusFailed: t.Failed, loop.Aborted: t.Aborted,
		} {
			if err := countEnd(ctx, tx, status, max(n, 0)); err != nil {
				return err
			}
		}
		done.At = s.o.Now()
		return noteImport(ctx, tx, source, sha256, 0, done.At)
	})
	if err == nil && !done.Already {
		s.show(ctx)
	}
	return done, err
}

// NoteImport remembers that all of a folder was looked at, and nothing in it is
// left to import.
func (s *Store) NoteImport(ctx context.Context, source string) error {
	_, err := s.ImportTotals(ctx, source, "", Totals{})
	return err
}

// WasImported returns the recorded import of a source, if any. It changes
// nothing.
func (s *Store) WasImported(ctx context.Context, source, sha256 string) (done Imported, err error) {
	err = s.read(ctx, "look for "+source, func(tx *sql.Tx) error {
		done, err = importOf(ctx, tx, source, sha256)
		return err
	})
	return done, err
}

// Unimported lists those of the given folders and files from which nothing was
// imported yet.
func (s *Store) Unimported(ctx context.Context, sources []string) (left []string, err error) {
	left = sources
	asked, err := json.Marshal(sources)
	if err != nil {
		return nil, err
	}
	err = s.read(ctx, "look for imports", func(tx *sql.Tx) error {
		left = nil
		rows, err := tx.QueryContext(ctx, `SELECT asked.value FROM json_each(?) asked WHERE NOT EXISTS (SELECT 1 FROM imports
			WHERE source = asked.value OR source > asked.value || '/' AND source < asked.value || '0')`, string(asked))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var source string
			if err := rows.Scan(&source); err != nil {
				return err
			}
			left = append(left, source)
		}
		return rows.Err()
	})
	return left, err
}
