package limits

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ralph/internal/shelf"
	"ralph/internal/store"
)

const file = "limits.db"

// Book is the memory of limits. It is opened when it is first used, and made
// when there is first something to remember. It may be used by many goroutines.
type Book struct {
	dir string
	now func() time.Time
	// ReadOnly books make nothing.
	readOnly bool
	// team has the trouble of named accounts for all machines of a team; nil is none.
	team shelf.Shelf

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
		b.book, b.broken = store.OpenBook(ctx, b.dir, file, []string{version1, version2, version3, version4}, o)
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
func (b *Book) Ask(ctx context.Context, account Account, loop string, force bool) (a Answer, err error) {
	if found, err := b.Look(ctx, account); err != nil || found == nil {
		return Answer{}, err // the usual case writes nothing
	}
	err = b.change(ctx, account, func(k *Known) *Known {
		if a = (Answer{}); k == nil {
			return nil
		}
		next, answer := k.decide(loop, b.now(), force)
		a = answer
		return &next
	})
	return a, err
}

// Told notes that the account's provider did not serve a run of the loop, and
// returns what is known of the account now.
func (b *Book) Told(ctx context.Context, account Account, loop string, t Trouble) (known Known, err error) {
	err = b.change(ctx, account, func(k *Known) *Known {
		if known = (Known{Account: account.Key}); k != nil {
			known = *k
		}
		known.Label = account.Label
		known = known.told(b.now(), t, loop)
		return &known
	})
	return known, err
}

// Lift notes that the account's model has answered.
func (b *Book) Lift(ctx context.Context, account Account) error {
	if !b.shares(account) && b.unwritten() {
		return nil
	}
	return b.change(ctx, account, func(*Known) *Known { return nil })
}

// Look is the trouble that is known of an account; nil is none.
func (b *Book) Look(ctx context.Context, account Account) (*Known, error) {
	if b.shares(account) {
		b.changeShared(ctx, account, unchanged)
	}
	found, err := b.rows(ctx, `WHERE account = ?`, account.Key)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0].known(), nil
}

// List tells of all that are not known to be over.
func (b *Book) List(ctx context.Context) (out []Known, err error) {
	all, err := b.rows(ctx, `ORDER BY until`)
	for _, r := range all {
		if k := r.known(); k != nil {
			out = append(out, *k)
		}
	}
	return out, err
}

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
