package limits

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ralph/internal/store"
	"ralph/internal/store/sqlrow"
)

// version1. Times are Unix nanoseconds.
const version1 = `
CREATE TABLE limits (
  account   TEXT    PRIMARY KEY,
  label     TEXT    NOT NULL,
  until     INTEGER NOT NULL,
  told      INTEGER NOT NULL,
  misses    INTEGER NOT NULL,
  message   TEXT    NOT NULL,
  by        TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  first     TEXT    NOT NULL,
  turn_ends INTEGER NOT NULL
);
`

// version2 tells more kinds of trouble than limits.
const version2 = `
ALTER TABLE limits ADD COLUMN health TEXT NOT NULL DEFAULT 'limited';
ALTER TABLE limits ADD COLUMN fix TEXT NOT NULL DEFAULT '';
ALTER TABLE limits ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
`

// version3 tells how much of the windows of an account is used.
const version3 = `
CREATE TABLE windows (
  account TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  label   TEXT    NOT NULL,
  used    REAL    NOT NULL,
  resets  INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (account, name)
);
`

const file = "limits.db"

// Book is the memory of limits. It is opened when it is first used, and made
// when there is first something to remember. It may be used by many goroutines.
type Book struct {
	dir string
	now func() time.Time
	// ReadOnly books make nothing.
	readOnly bool

	mu     sync.Mutex
	book   *store.Book
	broken error
}

// New is the book in dir.
func New(dir string, now func() time.Time, readOnly bool) *Book {
	return &Book{dir: dir, now: now, readOnly: readOnly}
}

// open opens the database once. A failed attempt is not repeated.
func (b *Book) open(ctx context.Context) (*store.Book, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.book == nil && b.broken == nil {
		// A write takes milliseconds, and the record is only a courtesy to
		// other loops: do not wait long for it.
		o := store.Options{Wait: 3 * time.Second, Now: b.now, ReadOnly: b.readOnly}
		b.book, b.broken = store.OpenBook(ctx, b.dir, file, []string{version1, version2, version3}, o)
	}
	return b.book, b.broken
}

// unwritten reports whether no limit was ever recorded here. A query does not
// create the database.
func (b *Book) unwritten() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.book != nil || b.broken != nil {
		return false
	}
	_, err := os.Stat(filepath.Join(b.dir, file))
	return errors.Is(err, fs.ErrNotExist)
}

// Close closes the database, if it was opened.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.book == nil {
		return nil
	}
	book := b.book
	b.book, b.broken = nil, errors.New("the memory of limits is closed")
	return book.Close()
}

// Ask reports whether a loop may start an agent of the account now. Force is
// set when a user wants it tried.
func (b *Book) Ask(ctx context.Context, account, loop string, force bool) (a Answer, err error) {
	if found, err := b.Look(ctx, account); err != nil || found == nil {
		return Answer{}, err // the usual case writes nothing
	}
	err = b.change(ctx, account, func(k Known, found bool) (Known, bool) {
		if !found {
			return k, false
		}
		before := k
		k, a = k.decide(loop, b.now(), force)
		return k, k != before
	})
	return a, err
}

// Told notes that the account's provider did not serve a run of the loop, and
// returns what is known of the account now.
func (b *Book) Told(ctx context.Context, account, label, loop string, t Trouble) (known Known, err error) {
	err = b.change(ctx, account, func(k Known, _ bool) (Known, bool) {
		k.Label = label
		known = k.told(b.now(), t, loop)
		return known, true
	})
	return known, err
}

// Lift notes that the account's model has answered.
func (b *Book) Lift(ctx context.Context, account string) error {
	if b.unwritten() {
		return nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return book.Write(ctx, "lift a limit", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM limits WHERE account = ?`, account)
		return err
	})
}

// Look is the trouble that is known of an account; nil is none.
func (b *Book) Look(ctx context.Context, account string) (*Known, error) {
	all, err := b.list(ctx, `WHERE account = ?`, account)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// List tells of all that are not known to be over.
func (b *Book) List(ctx context.Context) ([]Known, error) { return b.list(ctx, `ORDER BY until`) }

// Problems returns the damage that it finds, and makes nothing.
func (b *Book) Problems(ctx context.Context) ([]store.Problem, error) {
	if b.unwritten() {
		return nil, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	return book.Problems(ctx)
}

// Path is where the database is, or will be.
func (b *Book) Path() string { return filepath.Join(b.dir, file) }

// Mark changes with each write; empty means unknown. It costs no query.
func (b *Book) Mark(ctx context.Context) string {
	if b.unwritten() {
		return ""
	}
	book, err := b.open(ctx)
	if err != nil {
		return ""
	}
	return book.Mark()
}

const columns = `account, label, until, told, misses, message, by, at, first, turn_ends, health, fix, since`

func (b *Book) list(ctx context.Context, where string, args ...any) (out []Known, err error) {
	if b.unwritten() {
		return nil, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	err = book.Read(ctx, "look for limits", func(tx *sql.Tx) error {
		out, err = rows(ctx, tx, where, args...)
		return err
	})
	return out, err
}

func rows(ctx context.Context, tx *sql.Tx, where string, args ...any) (out []Known, err error) {
	found, err := tx.QueryContext(ctx, `SELECT `+columns+` FROM limits `+where, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var k Known
		var until, at, turnEnds, since int64
		if err := found.Scan(&k.Account, &k.Label, &until, &k.Told, &k.Misses, &k.Message, &k.By, &at, &k.First, &turnEnds, &k.Health, &k.Fix, &since); err != nil {
			return nil, err
		}
		k.Until, k.At, k.TurnEnds, k.Since = sqlrow.Time(until), sqlrow.Time(at), sqlrow.Time(turnEnds), sqlrow.Time(since)
		out = append(out, k)
	}
	return out, found.Err()
}

// change reads what is known of an account, lets f decide, and records it, in
// one transaction.
func (b *Book) change(ctx context.Context, account string, f func(k Known, found bool) (Known, bool)) error {
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return book.Write(ctx, "note a limit", func(tx *sql.Tx) error {
		have, err := rows(ctx, tx, `WHERE account = ?`, account)
		if err != nil {
			return err
		}
		k := Known{Account: account}
		if len(have) > 0 {
			k = have[0]
		}
		k, changed := f(k, len(have) > 0)
		if !changed {
			return nil
		}
		_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO limits (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			k.Account, k.Label, sqlrow.Nano(k.Until), k.Told, k.Misses, k.Message, k.By, sqlrow.Nano(k.At), k.First, sqlrow.Nano(k.TurnEnds), k.Health, k.Fix, sqlrow.Nano(k.Since))
		return err
	})
}
