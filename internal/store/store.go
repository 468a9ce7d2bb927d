package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	sqlite "modernc.org/sqlite"
)

// Options of a Store. The zero value is usable.
type Options struct {
	// Wait is how long to wait for another process that writes and does not get on; 0
	// means 10 s. While others commit, a writer waits up to six times as long, and the
	// owner of a run five minutes.
	Wait time.Duration
	// Now is the clock for records and deadlines; nil means time.Now. No lease
	// depends on it.
	Now func() time.Time
	// Views is the folder for views, <main tree>/.ralph; empty means none.
	Views string
	// Bus is where the event bus is written in place of Views/log.jsonl: a path
	// with forward slashes, relative to the folder that holds Views.
	Bus string
	// Owner is how this process is shown to others.
	Owner string
	// Boot names the present run of the machine; empty asks the machine.
	Boot string
	// Slots is the directory of the slots that all loops of the machine share; empty:
	// loops have none.
	Slots string
	// ReadOnly stores create nothing; without a database they are empty.
	ReadOnly bool
}

// Store is one repository's memory. It may be used by many goroutines.
type Store struct {
	// file is the database's name in dir.
	dir, file string
	o         Options
	// schema holds the steps from each version to the next.
	schema []string
	// turn lets one goroutine of this process write at a time, so that they
	// queue here instead of polling the database.
	turn chan struct{}
	// poll is how often a lease looks for messages without a notification.
	poll time.Duration
	// logMost is how large log.jsonl becomes before it is put aside.
	logMost int64
	// leaseWait is how long owners wait for other writers.
	leaseWait time.Duration

	opening sync.Mutex
	closed  bool
	db      atomic.Pointer[sql.DB] // nil: not there yet

	// copied is set while db is a copy of a database with an older schema; copies
	// counts them.
	copied atomic.Pointer[copied]
	copies int
	// idle refuses a migration while a process uses the database.
	idle func(ctx context.Context, tx *sql.Tx, version int) error

	viewErr atomic.Pointer[error]
	late    lateViews
}

// Open opens the memory in dir, which is <git common dir>/ralph, and makes it
// when it is missing. The database is brought to the newest schema, unless the store
// only reads: then an older one is read as it is.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	return open(ctx, dir, o, schema())
}

func open(ctx context.Context, dir string, o Options, schema []string) (*Store, error) {
	s := newStore(dir, "ralph.db", o, schema)
	s.idle = s.noOwners
	if _, err := s.database(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

func newStore(dir, file string, o Options, schema []string) *Store {
	if o.Wait == 0 {
		o.Wait = writeWait
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{dir: dir, file: file, o: o, schema: schema, turn: make(chan struct{}, 1), poll: 5 * time.Second, logMost: logMost, leaseWait: leaseWait}
}

// ReadOnly reports whether the store cannot be written.
func (s *Store) ReadOnly() bool { return s.o.ReadOnly }

// longLog is the size of the write-ahead log, in bytes, from which Close moves it into
// the database. A shorter one is left to later processes: moving it costs four waits
// for the disk at the end of each short command, reading it again less than one.
const longLog = 1 << 20

// Close closes the database. Leases are released on their own.
func (s *Store) Close() error {
	s.finishViews()
	s.opening.Lock()
	defer s.opening.Unlock()
	s.closed = true
	db := s.db.Swap(nil)
	if db == nil {
		return nil
	}
	if log, err := os.Stat(s.dbPath() + "-wal"); err == nil && log.Size() < longLog && !s.o.ReadOnly && s.copied.Load() == nil {
		s.leave(context.Background(), db)
		return nil
	}
	return db.Close()
}

// database connects at first use. It is nil while a store that only reads finds
// no database.
func (s *Store) database(ctx context.Context) (*sql.DB, error) {
	if db := s.db.Load(); db != nil && !s.stale() {
		return db, nil
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if db := s.db.Load(); db != nil {
		if !s.stale() {
			return db, nil
		}
		defer db.Close() // once its transactions have ended
	}
	if s.closed {
		return nil, errClosed
	}
	found, err := s.find(ctx)
	if err != nil || !found {
		return nil, err
	}
	mode := "rw"
	if s.o.ReadOnly {
		mode = "ro"
	}
	db, err := s.connect(mode)
	if err != nil {
		return nil, err
	}
	if db, err = s.agree(ctx, db); err != nil {
		return nil, err
	}
	s.db.Store(db)
	return db, nil
}

// find looks for the database, and makes it unless this store only reads.
func (s *Store) find(ctx context.Context) (bool, error) {
	found, err := place(s.dir, !s.o.ReadOnly)
	if err != nil || !found {
		return false, err
	}
	found, err = regular(s.dbPath())
	if found || err != nil || s.o.ReadOnly {
		return found, err
	}
	return true, s.make(ctx)
}

func regular(path string) (bool, error) {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("look at %s: %w", path, err)
	case !fi.Mode().IsRegular():
		return false, &CorruptError{path, errors.New("not a regular file")}
	}
	return true, nil
}

func (s *Store) connect(mode string) (*sql.DB, error) {
	return s.connectTo(s.dbPath(), mode)
}

// connectTo prepares a small pool: writers queue for their turn, readers are
// never blocked by them.
func (s *Store) connectTo(path, mode string) (*sql.DB, error) {
	query := fmt.Sprintf("mode=%s&_busy_timeout=%d&_txlock=immediate&_synchronous=FULL", mode, s.o.Wait.Milliseconds())
	return s.connectURI(address(path, query))
}

func (s *Store) connectURI(uri string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(uri)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", uri, err)
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	return db, nil
}

// leave closes a database that is not ours to change. The last connection that
// closes would move the log into the file; a read-only one cannot. Reading the version
// makes it a reader, and unlike the settings of other connections needs no schema.
func (s *Store) leave(ctx context.Context, db *sql.DB) {
	guard, err := s.connectURI(address(s.dbPath(), "mode=ro"))
	if err == nil {
		var n int
		_ = guard.QueryRowContext(ctx, "PRAGMA user_version").Scan(&n)
		defer guard.Close()
	}
	_ = db.Close()
}
