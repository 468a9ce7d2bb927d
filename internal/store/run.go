package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"ralph/internal/durable"
	"ralph/internal/journal"
	"ralph/internal/recovery"
)

// kind tells the journal, the lease and the inbox where the rows and files of one
// kind of run are. The Commit of each kind stores the rest.
type kind struct {
	name recovery.Kind
	// runs, events and inbox are its tables; key is the column of the latter two
	// that names the run.
	runs, events, inbox, key string
	// dir holds the files of a run, by its id.
	dir     string
	missing error
}

var (
	loopRuns = kind{recovery.Loop, "loops", "events", "inbox", "loop", "loops", ErrNoLoop}
	planRuns = kind{recovery.Plan, "plans", "plan_events", "plan_inbox", "plan", "plans", ErrNoPlan}
)

// q returns a query on the tables of the kind: %runs, %events, %inbox, %key
// and %kind stand for their names.
func (k kind) q(query string) string {
	return strings.NewReplacer("%runs", k.runs, "%events", k.events, "%inbox", k.inbox, "%key", k.key, "%kind", string(k.name)).Replace(query)
}

// numOf returns the number of a run.
func (k kind) numOf(ctx context.Context, tx *sql.Tx, id string) (num int64, err error) {
	err = tx.QueryRowContext(ctx, k.q(`SELECT num FROM %runs WHERE id = ?`), id).Scan(&num)
	if errors.Is(err, sql.ErrNoRows) {
		err = k.missing
	}
	return num, err
}

func (s *Store) runDir(k kind, id string) string { return filepath.Join(s.dir, k.dir, id) }

func (s *Store) runLock(k kind, id string) string {
	return filepath.Join(s.runDir(k, id), "owner.lock")
}

// lease is the right to write one run's record, as long as its epoch is the run's;
// the leases of loops and plans share it. It may be used by several goroutines.
type lease[S any, E journal.Event] struct {
	s          *Store
	kind       kind
	id         string
	num, epoch int64
	lock       *os.File
	// ctx ends with the lease.
	ctx context.Context
	end context.CancelFunc
	// beats is the goroutine that writes the heartbeat.
	beats sync.WaitGroup

	mu       sync.Mutex
	state    S
	seq      int64
	head     link // of event number seq
	released bool
	watch    *watch
}

func newLease[S any, E journal.Event](ctx context.Context, s *Store, k kind, id string) lease[S, E] {
	ctx, end := context.WithCancel(context.WithoutCancel(ctx))
	return lease[S, E]{s: s, kind: k, id: id, ctx: ctx, end: end}
}

// ID of the run.
func (l *lease[S, E]) ID() string { return l.id }

// Epoch returns the fencing token of this lease.
func (l *lease[S, E]) Epoch() int64 { return l.epoch }

// Dir returns the directory for the run's big files.
func (l *lease[S, E]) Dir() string { return l.s.runDir(l.kind, l.id) }

// State returns what was committed last.
func (l *lease[S, E]) State() S {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Seq returns the number of the newest event, counted in the run from 1.
func (l *lease[S, E]) Seq() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

// Check returns nil while the run is still ours, or a *FencedError.
func (l *lease[S, E]) Check(ctx context.Context) error {
	return l.s.read(ctx, fmt.Sprintf("check the lease of %s %s", l.kind.name, l.id), func(tx *sql.Tx) error {
		return l.owned(ctx, tx)
	})
}

// owned compares the epoch.
func (l *lease[S, E]) owned(ctx context.Context, tx *sql.Tx) error {
	var epoch int64
	var owner string
	err := tx.QueryRowContext(ctx, l.kind.q(`SELECT epoch, owner FROM %runs WHERE num = ?`), l.num).Scan(&epoch, &owner)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return &FencedError{Kind: recovery.Kind(l.kind.name), ID: l.id, Epoch: l.epoch, Forgotten: true}
	case err != nil:
		return err
	case epoch != l.epoch:
		return &FencedError{Kind: recovery.Kind(l.kind.name), ID: l.id, Epoch: l.epoch, Now: epoch, NewOwner: decodeOwner(owner)}
	}
	return nil
}

// usable refuses a commit after the release, and a state of another run.
func (l *lease[S, E]) usable(id string) error {
	switch {
	case l.released:
		return ErrReleased
	case id != l.id:
		return fmt.Errorf("the state is about %s %q", l.kind.name, id)
	}
	return nil
}

// advance replaces columns of the run's row, comparing the epoch and the number of
// events. set are assignments, with their values.
func (l *lease[S, E]) advance(ctx context.Context, tx *sql.Tx, seq int64, set string, values ...any) error {
	values = append(values, seq, nano(l.s.o.Now()), l.num, l.epoch, l.seq)
	r, err := tx.ExecContext(ctx, l.kind.q(`UPDATE %runs SET `+set+`, seq = ?, updated = ? WHERE num = ? AND epoch = ? AND seq = ?`), values...)
	if err != nil {
		return err
	}
	if changed, err := r.RowsAffected(); err != nil || changed == 1 {
		return err
	}
	if err := l.owned(ctx, tx); err != nil {
		return err
	}
	return fmt.Errorf("the record moved on without this lease: acquire the %s again", l.kind.name)
}

// row of a journal. Without a seq it is a message on the bus, which has no hash.
type row struct {
	seq  int64
	at   time.Time
	name string
	data []byte
	hash []byte
}

// encode returns the rows of the events after seq.
func encode[E journal.Event](seq int64, events []E, codec func(E) (string, []byte, error)) ([]row, error) {
	rows := make([]row, len(events))
	for i, e := range events {
		name, data, err := codec(e)
		if err != nil {
			return nil, err
		}
		rows[i] = row{seq: seq + int64(i) + 1, at: e.When(), name: name, data: data}
	}
	return rows, nil
}

func (l *lease[S, E]) append(ctx context.Context, tx *sql.Tx, rows ...row) error {
	for _, r := range rows {
		if err := l.kind.append(ctx, tx, l.num, l.epoch, r); err != nil {
			return err
		}
	}
	return nil
}

func (k kind) append(ctx context.Context, tx *sql.Tx, num, epoch int64, r row) error {
	var seq any
	if r.seq > 0 {
		seq = r.seq
	}
	_, err := tx.ExecContext(ctx, k.q(`INSERT INTO %events (%key, seq, epoch, at, name, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?)`),
		num, seq, epoch, nano(r.at), r.name, r.data, r.hash)
	return err
}

// markTaken records that the events of this transaction carry out these messages.
func (l *lease[S, E]) markTaken(ctx context.Context, tx *sql.Tx, took []int64) error {
	for _, id := range took {
		_, err := tx.ExecContext(ctx, l.kind.q(`UPDATE %inbox SET taken = ? WHERE num = ? AND %key = ?`), nano(l.s.o.Now()), id, l.num)
		if err != nil {
			return err
		}
	}
	return nil
}

// ForgetRecovery drops the record of earlier tries: the user resumed the run.
func (l *lease[S, E]) ForgetRecovery(ctx context.Context) error {
	return l.write(ctx, fmt.Sprintf("resume %s %s", l.kind.name, l.id), func(tx *sql.Tx) error {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM recoveries WHERE kind = ? AND run = ?`, l.kind.name, l.num)
		return err
	})
}

// holdLock takes the byte of this lease's epoch. A lock file that was removed
// meanwhile, with a run that was never created, is not believed.
func (l *lease[S, E]) holdLock() error {
	if err := durable.MkdirAll(l.Dir()); err != nil {
		return err
	}
	path := l.s.runLock(l.kind, l.id)
	for range 10 {
		f, err := lockAt(path, l.epoch)
		if err != nil {
			return fmt.Errorf("lock epoch %d: %w", l.epoch, err)
		}
		ours, err := f.Stat()
		there, err2 := os.Lstat(path)
		if err == nil && (err2 != nil || !os.SameFile(ours, there)) && runtime.GOOS == "linux" {
			_ = f.Close()
			continue
		}
		l.lock = f
		if err == nil {
			_ = markLock(f) // on a full disk the record of the owner counts
		}
		return err
	}
	return errLocked
}

// release ends the lease; it reports false where that was done before.
func (l *lease[S, E]) release() bool {
	l.mu.Lock()
	released, w := l.released, l.watch
	l.released = true
	l.mu.Unlock()
	if released {
		return false
	}
	l.drop()
	l.beats.Wait()
	if w != nil {
		w.ends.Wait()
	}
	return true
}

// drop frees the lock.
func (l *lease[S, E]) drop() {
	l.end()
	if l.lock != nil {
		unlock(l.lock)
	}
}
