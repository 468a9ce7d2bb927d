package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ralph/internal/notice"
	"ralph/internal/recovery"
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

// Check looks for damage, and makes nothing.
func (b *Box) Check(ctx context.Context) ([]store.Problem, error) {
	if !b.Exists() {
		return nil, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	return book.Check(ctx)
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

// Seen is how far the runs of the repository were read.
type Seen struct {
	// Begun: it was read before. Else what happened so far is no news.
	Begun bool
	// Runs has the number of the newest event of each, Pos the place of the newest
	// restart.
	Runs map[Run]int64
	Pos  int64
}

// Run is a loop or a plan.
type Run struct {
	Kind recovery.Kind
	ID   string
}

// Seen returns what Put recorded last.
func (b *Box) Seen(ctx context.Context) (s Seen, err error) {
	s.Runs = map[Run]int64{}
	err = b.read(ctx, "read how far the outbox is", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT pos FROM state`).Scan(&s.Pos)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		s.Begun = err == nil
		if err != nil {
			return err
		}
		return each(ctx, tx, func(rows *sql.Rows) error {
			var run Run
			var seq int64
			err := rows.Scan(&run.Kind, &run.ID, &seq)
			s.Runs[run] = seq
			return err
		}, `SELECT kind, run, seq FROM runs`)
	})
	return s, err
}

// Entry is a notice to put in: for these targets, and not to be sent before a time.
type Entry struct {
	Notice    notice.Notice
	Targets   []string
	NotBefore time.Time
}

// Put records notices and how far the runs were read, in one transaction. A notice whose
// key is known already is ignored.
func (b *Box) Put(ctx context.Context, read map[Run]int64, pos int64, entries []Entry) error {
	return b.write(ctx, "put notices into the outbox", func(tx *sql.Tx) error {
		for run, seq := range read {
			_, err := tx.ExecContext(ctx, `INSERT INTO runs (kind, run, seq) VALUES (?1, ?2, ?3)
				ON CONFLICT (kind, run) DO UPDATE SET seq = max(seq, ?3)`, run.Kind, run.ID, seq)
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO state (one, pos) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET pos = max(pos, ?1)`, pos)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := b.put(ctx, tx, e); err != nil {
				return err
			}
		}
		return b.prune(ctx, tx)
	})
}

func (b *Box) put(ctx context.Context, tx *sql.Tx, e Entry) error {
	data, err := json.Marshal(e.Notice)
	if err != nil {
		return err
	}
	now := b.now().UnixNano()
	done, err := tx.ExecContext(ctx, `INSERT INTO notices (key, run, kind, at, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		e.Notice.Key, e.Notice.Run, e.Notice.Event, now, data)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	num, err := done.LastInsertId()
	if err != nil {
		return err
	}
	for _, target := range e.Targets {
		_, err := tx.ExecContext(ctx, `INSERT INTO deliveries (notice, target, state, next, at) VALUES (?, ?, 'waiting', ?, ?)`,
			num, target, max(now, nano(e.NotBefore)), now)
		if err != nil {
			return err
		}
	}
	return nil
}

// prune forgets what is old.
func (b *Box) prune(ctx context.Context, tx *sql.Tx) error {
	old := b.now().Add(-kept).UnixNano()
	for _, q := range []string{
		`DELETE FROM deliveries WHERE notice IN (SELECT num FROM notices WHERE at < ?1)`,
		`DELETE FROM notices WHERE at < ?1`,
		`DELETE FROM buttons WHERE until < ?1`,
	} {
		if _, err := tx.ExecContext(ctx, q, old); err != nil {
			return err
		}
	}
	return nil
}

// Told returns the notices of a kind about a run that were put in, oldest first.
func (b *Box) Told(ctx context.Context, run string, kind notice.Kind) (out []notice.Notice, err error) {
	err = b.read(ctx, "read what was told", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			n, err := scan(rows)
			out = append(out, n)
			return err
		}, `SELECT key, data FROM notices WHERE run = ? AND kind = ? ORDER BY num`, run, kind)
	})
	return out, err
}

// Unreminded returns the notices of these kinds that were put in between two times and
// have no reminder.
func (b *Box) Unreminded(ctx context.Context, kinds []notice.Kind, after, before time.Time) (out []notice.Notice, err error) {
	list, err := json.Marshal(kinds)
	if err != nil {
		return nil, err
	}
	err = b.read(ctx, "read what a person was told", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			n, err := scan(rows)
			out = append(out, n)
			return err
		}, `SELECT n.key, n.data FROM notices n WHERE n.kind IN (SELECT value FROM json_each(?1)) AND n.at > ?2 AND n.at <= ?3
			AND substr(n.key, 1, length(?4)) <> ?4 AND NOT EXISTS (SELECT 1 FROM notices r WHERE r.key = ?4 || n.key) ORDER BY n.num`,
			string(list), after.UnixNano(), before.UnixNano(), notice.ReminderKey)
	})
	return out, err
}

func scan(rows *sql.Rows, more ...any) (n notice.Notice, err error) {
	var key string
	var data []byte
	if err := rows.Scan(append([]any{&key, &data}, more...)...); err != nil {
		return n, err
	}
	err = json.Unmarshal(data, &n)
	n.Key = key
	return n, err
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

func each(ctx context.Context, tx *sql.Tx, f func(*sql.Rows) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
