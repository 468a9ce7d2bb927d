//go:build unix

package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// versionNext is a schema later than the present one.
const versionNext = `ALTER TABLE loops ADD COLUMN note TEXT NOT NULL DEFAULT 'of the next version'`

func openNext(t *testing.T, dir string, o Options) (*Store, error) {
	t.Helper()
	s, err := open(t.Context(), dir, o, append(schema(), versionNext))
	if err == nil {
		t.Cleanup(func() { must(t, s.Close()) })
	}
	return s, err
}

// TestReadersMigrateNothing: a newer program that only reads sees what an older one
// records, and the older one goes on.
func TestReadersMigrateNothing(t *testing.T) {
	t.Parallel()
	old, dir := fresh(t)
	l := create(t, old, "a")
	must(t, tick(t.Context(), l))
	reader, err := openNext(t, dir, Options{ReadOnly: true})
	must(t, err)
	if r, err := reader.Read(t.Context(), "a"); err != nil || r.Seq != 2 || !r.Live {
		t.Errorf("Load: %+v, %v", r, err)
	}
	must(t, reader.read(t.Context(), "read the new column", func(tx *sql.Tx) error {
		var note string
		err := tx.QueryRowContext(t.Context(), `SELECT note FROM loops`).Scan(&note)
		if note != "of the next version" {
			t.Errorf("note %q", note)
		}
		return err
	}))
	if have := reader.Older(); have != len(schema()) {
		t.Errorf("Older: %d", have)
	}
	must(t, tick(t.Context(), l)) // the older program goes on
	reader.copied.Load().at = reader.copied.Load().at.Add(-copyEvery)
	if r, err := reader.Read(t.Context(), "a"); err != nil || r.Seq != 3 {
		t.Errorf("after another event: seq %d, %v", r.Seq, err)
	}
	if problems, err := reader.Problems(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("Check: %v, %v", problems, err)
	}
	if copies, _ := filepath.Glob(filepath.Join(dir, "*.before-*")); len(copies) > 0 {
		t.Errorf("it was migrated: %v", copies)
	}
}

// TestReaderBesideMigration: a reader that has copied an older database reads the
// database itself once another process has migrated it.
func TestReaderBesideMigration(t *testing.T) {
	t.Parallel()
	old, dir := fresh(t)
	must(t, create(t, old, "a").Release(t.Context()))
	reader, err := openNext(t, dir, Options{ReadOnly: true})
	must(t, err)
	writer, err := openNext(t, dir, Options{})
	must(t, err)
	must(t, create(t, writer, "b").Release(t.Context()))
	reader.copied.Load().at = reader.copied.Load().at.Add(-copyEvery)
	if _, err := reader.Read(t.Context(), "b"); err != nil || reader.Older() != 0 {
		t.Errorf("Load: %v, older %d", err, reader.Older())
	}
}

// TestNoMigrationUnderOwners: a database is not migrated while a process runs a loop
// or a plan, or checks a loop; it is not changed, and the error names them.
func TestNoMigrationUnderOwners(t *testing.T) {
	t.Parallel()
	hold := map[string]func(*testing.T, *Store) (release func()){
		"loop a is run by": func(t *testing.T, s *Store) func() {
			l := create(t, s, "a")
			return func() { must(t, l.Release(t.Context())) }
		},
		"plan p is run by": func(t *testing.T, s *Store) func() {
			l := takePlan(t, s, "p", 1)
			return func() { must(t, l.Release(context.WithoutCancel(t.Context()))) }
		},
		"loop d is being checked": func(t *testing.T, s *Store) func() {
			st := newState("d")
			st.Mode = loop.AgentDriven
			must(t, s.Enter(t.Context(), st, Admission{}))
			done, turn, err := s.Queue(t.Context(), "d", 0)
			if err != nil || !turn {
				t.Fatal(turn, err)
			}
			return done
		},
	}
	for name, hold := range hold {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s, dir := fresh(t)
			release := hold(t, s)
			before := databaseBytes(t, dir)
			_, err := openNext(t, dir, Options{})
			older, ok := errors.AsType[*OlderError](err)
			if !ok || !strings.Contains(older.Error(), name) {
				t.Fatalf("opened: %v", err)
			}
			if !bytes.Equal(before, databaseBytes(t, dir)) {
				t.Error("the database was changed")
			}
			release()
			next, err := openNext(t, dir, Options{})
			must(t, err)
			if problems, err := next.Problems(t.Context()); err != nil || len(problems) > 0 {
				t.Errorf("Check: %v, %v", problems, err)
			}
		})
	}
}

// databaseBytes is the content of the database file and of its log.
func databaseBytes(t *testing.T, dir string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(dir, "ralph.db"))
	must(t, err)
	log, err := os.ReadFile(filepath.Join(dir, "ralph.db-wal"))
	must(t, err)
	return append(file, log...)
}
