package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"time"

	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// A store that only reads migrates nothing: an older program may be using the
// database. It reads a copy in memory, which it migrates, and copies again when the
// database has changed.

// mostCopied bounds the size of a database that is copied into memory, in bytes.
const mostCopied = 1 << 30

// copyEvery is how long a copy is used although the database has changed.
const copyEvery = time.Second

// copied is the copy in memory of a database with an older schema.
type copied struct {
	// version is the schema of the database, mark its newest commit.
	version int
	mark    string
	at      time.Time
}

// Older returns the schema version of the database where it is older than the one
// that this program writes, else 0. The store reads a migrated copy of it.
func (s *Store) Older() int {
	if c := s.copied.Load(); c != nil {
		return c.version
	}
	return 0
}

// stale reports whether the database has changed since it was copied.
func (s *Store) stale() bool {
	c := s.copied.Load()
	return c != nil && c.mark != s.lastWrite() && time.Since(c.at) > copyEvery
}

// openCopy returns a copy of the database with the present schema.
func (s *Store) openCopy(ctx context.Context, db *sql.DB, version int) (*sql.DB, error) {
	if fi, err := os.Stat(s.dbPath()); err == nil && fi.Size() > mostCopied {
		return nil, &OlderError{Path: s.dbPath(), Have: version, Know: len(s.schema)}
	}
	c := &copied{version: version, mark: s.lastWrite(), at: time.Now()}
	s.copies++
	// The name tells the copies of this process apart.
	path := fmt.Sprintf("/%p-%d", s, s.copies)
	memory, err := s.connectURI("file:" + path + "?vfs=memdb&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	if err := s.fillCopy(ctx, db, memory, path, version); err != nil {
		_ = memory.Close()
		return nil, s.explain(ctx, fmt.Sprintf("read the database of schema version %d", version), err)
	}
	s.copied.Store(c)
	return memory, nil
}

func (s *Store) fillCopy(ctx context.Context, db, memory *sql.DB, path string, version int) error {
	if err := memory.PingContext(ctx); err != nil { // from now on it exists
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", "file:"+path+"?vfs=memdb"); err != nil {
		return err
	}
	for v := version; v < len(s.schema); v++ {
		if err := s.step(ctx, memory, v, func(*sql.Tx) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// OlderError: the database has an earlier schema than this program writes, and it
// cannot be migrated or read now. It was left as it is.
type OlderError struct {
	Path       string
	Have, Know int
	// Runs are those that a living process runs with the older schema, with their
	// owners; without any the database is too large to be read without migration.
	Runs []string
}

func (e *OlderError) Error() string {
	if len(e.Runs) == 0 {
		return fmt.Sprintf("%s has schema version %d, and is too large to be read as version %d before a command that writes migrates it", e.Path, e.Have, e.Know)
	}
	return fmt.Sprintf("%s has schema version %d and cannot be migrated to version %d while an older ralph uses it: %s", e.Path, e.Have, e.Know, strings.Join(e.Runs, ", "))
}

// noOwners returns an *OlderError while a process runs a loop or a plan: it would fail
// at its next step after a migration. The caller has locked the database for
// writing, so none can acquire a run meanwhile.
func (s *Store) noOwners(ctx context.Context, tx *sql.Tx, version int) error {
	var runs []string
	for _, k := range []kind{loopRuns, planRuns} {
		found, err := s.living(ctx, tx, k)
		if err != nil {
			return err
		}
		runs = append(runs, found...)
	}
	if len(runs) == 0 {
		return nil
	}
	return &OlderError{s.dbPath(), version, len(s.schema), runs}
}

// living lists the runs of a kind that have a living owner, or a check in progress.
// It reads databases of every version.
func (s *Store) living(ctx context.Context, tx *sql.Tx, k kind) (runs []string, err error) {
	var there int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE name = ?`, k.runs).Scan(&there); err != nil || there == 0 {
		return nil, err
	}
	err = sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
		var id, owner string
		var epoch int64
		if err := rows.Scan(&id, &epoch, &owner); err != nil {
			return err
		}
		held, err := heldBy(s.runLock(k, id), max(epoch, 1), decodeOwner(owner))
		switch {
		case err != nil:
			return err
		case held:
			runs = append(runs, fmt.Sprintf("%s %s is run by %s", k.name, id, decodeOwner(owner)))
		case k.name == recovery.Loop && s.Checking(id):
			runs = append(runs, fmt.Sprintf("loop %s is being checked", id))
		}
		return nil
	}, k.q(`SELECT id, epoch, owner FROM %runs WHERE archived = 0 ORDER BY num`))
	return runs, err
}
