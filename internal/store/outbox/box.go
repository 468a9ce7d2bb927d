package outbox

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
)

// version1. Times are Unix nanoseconds.
const version1 = `
CREATE TABLE runs (kind TEXT NOT NULL, run TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (kind, run));
CREATE TABLE state (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  pos    INTEGER NOT NULL,            -- restarts up to this place are known
  leader TEXT    NOT NULL DEFAULT '', -- who delivers
  until  INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE notices (
  num  INTEGER PRIMARY KEY AUTOINCREMENT,
  key  TEXT    NOT NULL UNIQUE,
  run  TEXT    NOT NULL,
  kind TEXT    NOT NULL,
  at   INTEGER NOT NULL, -- when it was put in
  data BLOB    NOT NULL  -- notice.Notice as JSON
);
CREATE INDEX notices_by_run ON notices (run);
CREATE TABLE deliveries (
  notice INTEGER NOT NULL REFERENCES notices (num) ON DELETE CASCADE,
  target TEXT    NOT NULL,
  state  TEXT    NOT NULL,           -- waiting, sent, dropped, failed
  tries  INTEGER NOT NULL DEFAULT 0,
  next   INTEGER NOT NULL,           -- not before
  at     INTEGER NOT NULL,           -- of the newest try
  error  TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (notice, target)
);
CREATE INDEX deliveries_waiting ON deliveries (target, next) WHERE state = 'waiting';
CREATE TABLE buttons (
  hash     BLOB PRIMARY KEY,         -- SHA-256 of the token
  kind     TEXT    NOT NULL,
  run      TEXT    NOT NULL,
  question TEXT    NOT NULL,
  answer   TEXT    NOT NULL,
  target   TEXT    NOT NULL,
  until    INTEGER NOT NULL,
  used     INTEGER NOT NULL DEFAULT 0
);
`

const file = "notify.db"

// kept is how long notices and what became of them are remembered.
const kept = 7 * 24 * time.Hour

// Box is the outbox of a repository. The database is opened when it is first used, and
// made when something is first put in. It may be used by many goroutines.
type Box struct {
	dir      string
	now      func() time.Time
	readOnly bool

	mu     sync.Mutex
	book   *store.Book
	broken error
}

// New returns the outbox in dir, <git common dir>/ralph.
func New(dir string, now func() time.Time, readOnly bool) *Box {
	return &Box{dir: dir, now: now, readOnly: readOnly}
}

// Path is where the database is, or will be.
func (b *Box) Path() string { return filepath.Join(b.dir, file) }

// Exists reports whether anything was ever put in.
func (b *Box) Exists() bool {
	_, err := os.Stat(b.Path())
	return !errors.Is(err, fs.ErrNotExist)
}

func (b *Box) open(ctx context.Context) (*store.Book, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.book == nil && b.broken == nil {
		o := store.Options{Wait: 3 * time.Second, Now: b.now, ReadOnly: b.readOnly}
		b.book, b.broken = store.OpenBook(ctx, b.dir, file, []string{version1}, o)
	}
	return b.book, b.broken
}

// Close closes the database, if it was opened.
func (b *Box) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.book == nil {
		return nil
	}
	book := b.book
	b.book, b.broken = nil, errors.New("the outbox is closed")
	return book.Close()
}

// Problems returns the damage that it finds, and makes nothing.
func (b *Box) Problems(ctx context.Context) ([]store.Problem, error) {
	if !b.Exists() {
		return nil, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	return book.Problems(ctx)
}

func (b *Box) write(ctx context.Context, what string, f func(*sql.Tx) error) error {
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return book.Write(ctx, what, f)
}

func (b *Box) read(ctx context.Context, what string, f func(*sql.Tx) error) error {
	if !b.Exists() {
		return nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return book.Read(ctx, what, f)
}

// Lead makes the caller the one who delivers, for some time, unless another process is.
func (b *Box) Lead(ctx context.Context, who string, lease time.Duration) (leads bool, err error) {
	err = b.write(ctx, "become the one who delivers", func(tx *sql.Tx) error {
		now := b.now()
		// A time that is further away than a lease is from a clock that was set back.
		done, err := tx.ExecContext(ctx, `UPDATE state SET leader = ?1, until = ?2 WHERE leader IN ('', ?1) OR until < ?3 OR until > ?4`,
			who, now.Add(lease).UnixNano(), now.UnixNano(), now.Add(lease+time.Minute).UnixNano())
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		leads = n > 0
		return err
	})
	return leads, err
}

// Resign lets another process deliver.
func (b *Box) Resign(ctx context.Context, who string) error {
	return b.write(ctx, "let others deliver", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE state SET leader = '', until = 0 WHERE leader = ?`, who)
		return err
	})
}
