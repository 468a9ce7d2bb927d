package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/durable"
)

// make builds the database under another name and moves it into place when it is
// complete. So a database that is there is whole, or it was damaged.
func (s *Store) make(ctx context.Context) error {
	lock, err := waitLock(ctx, filepath.Join(s.dir, "make.lock"), s.o.Wait)
	if err != nil {
		return s.explain(ctx, "make the database", err)
	}
	defer unlock(lock)
	if found, err := regular(s.dbPath()); found || err != nil {
		return err
	}
	if fi, err := os.Lstat(s.dbPath() + "-wal"); err == nil && fi.Size() > 0 {
		return &CorruptError{s.dbPath(), errors.New("the file is gone but its log " + s.file + "-wal is still there")}
	}
	fresh := s.dbPath() + ".new"
	removeDatabase(fresh)
	if err := s.build(ctx, fresh); err != nil {
		removeDatabase(fresh)
		return s.explain(ctx, "make "+fresh, err)
	}
	if err := os.Rename(fresh, s.dbPath()); err != nil {
		return fmt.Errorf("make the database: %w", err)
	}
	return durable.SyncDir(s.dir)
}

// removeDatabase removes a database that is not complete, with the files beside it.
func removeDatabase(path string) {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		_ = os.Remove(path + suffix)
	}
}

// build makes the database in one file. SQLite reports no error for a log that it
// could not move into the file when it closed, so a log that is left is one.
func (s *Store) build(ctx context.Context, path string) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	db, err := s.connectTo(path, "rw")
	if err != nil {
		return err
	}
	defer db.Close()
	if err := s.buildSchema(ctx, db); err != nil {
		return err
	}
	// The file is complete before it has a log: nothing is lost if the log is.
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode=WAL"); err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	if _, err := os.Lstat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(errors.New("its log could not be moved into the file"), err)
	}
	return syncFile(path)
}

// buildSchema makes all versions in one transaction.
func (s *Store) buildSchema(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, step := range append(slices.Clone(s.schema), fmt.Sprintf("PRAGMA user_version=%d", len(s.schema))) {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// step migrates a database of version v to the next one, unless another process
// did. before runs while the database is locked for writing.
func (s *Store) step(ctx context.Context, db *sql.DB, v int, before func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var have int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil || have != v {
		return err
	}
	if err := before(tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, s.schema[v]); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version=%d", v+1)); err != nil {
		return err
	}
	return tx.Commit()
}

// agree returns the database with the schema this program knows: db itself, migrated
// where that is needed, or a copy where this store only reads.
func (s *Store) agree(ctx context.Context, db *sql.DB) (*sql.DB, error) {
	s.copied.Store(nil)
	var have int
	err := s.explain(ctx, "open the database", db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have))
	switch know := len(s.schema); {
	case err != nil:
	case have == know:
		return db, nil
	case have > know:
		err = &NewerError{s.dbPath(), have, know}
	case have < 1:
		err = &CorruptError{s.dbPath(), errors.New("it is empty, or another program's database")}
	case s.o.ReadOnly:
		memory, err := s.openCopy(ctx, db, have)
		s.leave(ctx, db)
		return memory, err
	default:
		if err = s.migrate(ctx, have); err == nil {
			return db, nil
		}
		err = s.explain(ctx, "migrate the database", err)
	}
	s.leave(ctx, db)
	return nil, err
}

// migrate goes forward step by step; before each the database is copied.
func (s *Store) migrate(ctx context.Context, have int) error {
	db, err := s.connect("rw")
	if err != nil {
		return err
	}
	defer db.Close()
	for v := have; v < len(s.schema); v++ {
		keep := func(tx *sql.Tx) error {
			if err := s.idle(ctx, tx, v); err != nil {
				return err
			}
			if err := s.forgetSessions(); err != nil {
				return err
			}
			return s.copyTo(ctx, db, fmt.Sprintf("%s.before-v%d", s.dbPath(), v+1))
		}
		if err := s.step(ctx, db, v, keep); err != nil {
			return err
		}
	}
	return db.Close()
}

// copyTo writes a complete copy. It reads on a connection of its own, so it may
// run while another one keeps writers out.
func (s *Store) copyTo(ctx context.Context, db *sql.DB, path string) (err error) {
	tmp := path + ".tmp"
	removeDatabase(tmp)
	defer func() {
		if err != nil {
			removeDatabase(tmp)
		}
	}()
	if err := os.WriteFile(tmp, nil, 0o600); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", tmp); err != nil {
		return fmt.Errorf("copy the database to %s: %w", tmp, err)
	}
	if err := syncFile(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return durable.SyncDir(s.dir)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
