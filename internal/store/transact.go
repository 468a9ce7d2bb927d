package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sqlite "modernc.org/sqlite"
)

// write runs f in one immediate transaction. It returns nil only when the
// transaction is on disk.
func (s *Store) write(ctx context.Context, what string, f func(*sql.Tx) error) error {
	if s.o.ReadOnly {
		return fmt.Errorf("%s: %w", what, ErrReadOnly)
	}
	db, err := s.database(ctx)
	if err != nil {
		return err
	}
	if err := s.takeTurn(ctx); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	defer func() { <-s.turn }()
	return s.explain(ctx, what, s.transact(ctx, db, f))
}

func (s *Store) transact(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, done, err := s.openTx(ctx, db)
	if err != nil {
		return err
	}
	defer done()
	defer func() { _ = tx.Rollback() }()
	// Another process may have migrated since we opened.
	var have int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if have != len(s.schema) {
		return &NewerError{s.dbPath(), have, len(s.schema)}
	}
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *Store) takeTurn(ctx context.Context) error {
	timer := time.NewTimer(s.o.Wait)
	defer timer.Stop()
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-timer.C:
		return &BusyError{s.o.Wait, cmp.Or(s.holder(ctx), "another part of this process")}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// read runs f on one consistent snapshot. Without a database f does not run.
func (s *Store) read(ctx context.Context, what string, f func(*sql.Tx) error) error {
	db, err := s.database(ctx)
	if err != nil || db == nil {
		return err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.explain(ctx, what, err)
	}
	defer func() { _ = tx.Rollback() }()
	return s.explain(ctx, what, f(tx))
}

// SQLite's primary result codes.
const (
	codeBusy       = 5
	codeReadOnly   = 8
	codeCorrupt    = 11
	codeCannotOpen = 14
	codeNotADB     = 26
	codeFull       = 13
	codeIO         = 10
	// codeShmSize: the file beside the log could not be made as large as needed.
	codeShmSize = 10 | 19<<8
	// codeInPage: the disk has no room for a page of a file that is mapped into memory.
	codeInPage = 10 | 34<<8
)

// explain gives the situations of SQLite a type of ours.
func (s *Store) explain(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	switch {
	case errors.Is(err, errLocked):
		err = &BusyError{s.o.Wait, ""}
	case outOfSpace(err):
		err = &NoSpaceError{s.dir, err}
	}
	if _, ok := errors.AsType[*HeldError](err); ok {
		return err // it names the run
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		err = s.situation(ctx, e.Code(), err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// situation is the error of ours for a result code of SQLite, err where it has none.
func (s *Store) situation(ctx context.Context, code int, err error) error {
	switch code {
	case codeShmSize, codeInPage:
		return &NoSpaceError{s.dir, err}
	}
	switch code & 0xff {
	case codeFull:
		return &NoSpaceError{s.dir, err}
	case codeIO: // also a quota that is used up
		return &DiskError{s.dir, err}
	case codeBusy:
		return &BusyError{s.o.Wait, s.holder(ctx)}
	case codeReadOnly, codeCannotOpen:
		return &ClosedError{s.dir, err}
	case codeCorrupt, codeNotADB:
		return &CorruptError{s.dbPath(), err}
	}
	return err
}
