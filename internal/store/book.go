package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
)

// Book is a small database of its own, for data that belongs to no single
// repository. It is made, migrated, queued for and protected as that of a
// repository is: a damaged or newer file is reported and left as it is.
type Book struct{ s *Store }

// OpenBook opens the database file in dir, which is made when it is missing.
// steps bring it from each version to the next.
func OpenBook(ctx context.Context, dir, file string, steps []string, o Options) (*Book, error) {
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make %s: %w", dir, err)
		}
	}
	s := newStore(dir, file, o, steps)
	s.idle = func(context.Context, *sql.Tx, int) error { return nil }
	if _, err := s.database(ctx); err != nil {
		return nil, err
	}
	return &Book{s}, nil
}

// Write runs f in one transaction. It returns nil only when that is on disk.
func (b *Book) Write(ctx context.Context, what string, f func(*sql.Tx) error) error {
	return b.s.write(ctx, what, f)
}

// Read runs f on one snapshot; not at all where there is no database.
func (b *Book) Read(ctx context.Context, what string, f func(*sql.Tx) error) error {
	return b.s.read(ctx, what, f)
}

// Problems returns the damage that it finds, and changes nothing. A database that cannot
// be opened is an error.
func (b *Book) Problems(ctx context.Context) (found []Problem, err error) {
	err = b.s.read(ctx, "check the database", func(tx *sql.Tx) error {
		found, err = b.s.checkDatabase(ctx, tx)
		return err
	})
	return found, err
}

// Mark changes with each commit. It costs no query.
func (b *Book) Mark() string { return b.s.lastWrite() }

// Close closes the database.
func (b *Book) Close() error { return b.s.Close() }
