package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// Import is a loop of another runner, as it will stand here: ended, or paused.
type Import struct {
	// Source is where it was found; it is imported from there once. SHA256 is
	// the digest of the content found, so that a later change is detected.
	Source, SHA256 string
	State          loop.State
}

// Imported is the result of an import.
type Imported struct {
	// LoopID is the loop here; empty where it was removed since, and where the
	// source was none.
	LoopID string
	At     time.Time
	// Already: nothing was done, since the source was imported before; Changed:
	// it is not what it was then.
	Already, Changed bool
}

// errUnfinished is returned for a loop that still has to run: it cannot be
// imported this way.
var errUnfinished = errors.New("an imported loop has ended or is paused")

// Import records a loop with its history, its first event, and where it came
// from, in one transaction, and acquires nothing. An ended one counts in the
// registry. With ErrExists another loop has the id; nothing was recorded.
func (s *Store) Import(ctx context.Context, im Import) (done Imported, err error) {
	st := im.State
	if err := loop.ValidID(st.ID); err != nil {
		return done, err
	}
	if !st.Status.Terminal() && st.Status != loop.Paused {
		return done, fmt.Errorf("import %s: %w", im.Source, errUnfinished)
	}
	rows, err := imported(im)
	if err != nil {
		return done, fmt.Errorf("import %s: %w", im.Source, err)
	}
	made := false
	err = s.write(ctx, "import "+im.Source, func(tx *sql.Tx) error {
		if done, err = importOf(ctx, tx, im.Source, im.SHA256); err != nil || done.Already {
			return err
		}
		if err := loopRuns.unused(ctx, tx, st.ID); err != nil {
			return err
		}
		if made, err = s.makeDir(st.ID); err != nil {
			return err
		}
		done = Imported{LoopID: st.ID, At: s.o.Now()}
		return s.insertImport(ctx, tx, im, rows, done.At)
	})
	if err != nil {
		if made { // Only while it is empty: it may belong to a new loop by now.
			_ = os.Remove(s.loopDir(st.ID))
		}
		return Imported{}, err
	}
	if !done.Already {
		s.show(ctx, st.ID)
	}
	return done, nil
}

// insertImport writes all rows. The loop never had an owner here: its epoch is
// 0, and the first owner gets 1.
func (s *Store) insertImport(ctx context.Context, tx *sql.Tx, im Import, rows []row, at time.Time) error {
	l := s.newLoopLease(ctx, im.State.ID)
	defer l.end()
	l.state, l.seq = im.State, 1
	data, err := json.Marshal(im.State.Bounded())
	if err != nil {
		return err
	}
	if err := l.insertRun(ctx, tx, data, "{}", rows); err != nil {
		return err
	}
	if im.State.Status.Terminal() {
		if err := countEnd(ctx, tx, im.State.Status, 1); err != nil {
			return err
		}
	}
	return noteImport(ctx, tx, im.Source, im.SHA256, l.num, at)
}

// imported are the first event of a loop, and for the bus what its former
// runner recorded of each attempt and of its end.
func imported(im Import) ([]row, error) {
	rows, err := firstRow(im.State, im.Source)
	if err != nil {
		return nil, err
	}
	later, err := busRows(loop.State{}, im.State)
	return append(rows, later...), err
}

// importOf reports whether a source was imported before.
func importOf(ctx context.Context, tx *sql.Tx, source, sha256 string) (Imported, error) {
	var was string
	var at int64
	var id sql.NullString
	err := tx.QueryRowContext(ctx, `SELECT i.sha256, i.at, l.id FROM imports i LEFT JOIN loops l ON l.num = i.loop
		WHERE i.source = ?`, source).Scan(&was, &at, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return Imported{}, nil
	}
	return Imported{LoopID: id.String, At: sqlrow.Time(at), Already: err == nil, Changed: was != sha256}, err
}

func noteImport(ctx context.Context, tx *sql.Tx, source, sha256 string, num int64, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO imports (source, sha256, loop, at) VALUES (?, ?, ?, ?)`,
		source, sha256, num, sqlrow.Nano(at))
	return err
}

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
