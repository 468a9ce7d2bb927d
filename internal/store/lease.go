package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	"ralph/internal/durable"
	"ralph/internal/journal"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

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

// Owned returns nil while the run is still ours, or a *FencedError.
func (l *lease[S, E]) Owned(ctx context.Context) error {
	return l.s.read(ctx, fmt.Sprintf("check the lease of %s %s", l.kind.name, l.id), func(tx *sql.Tx) error {
		return l.compareEpoch(ctx, tx)
	})
}

// compareEpoch returns a *FencedError where another owner has raised the epoch.
func (l *lease[S, E]) compareEpoch(ctx context.Context, tx *sql.Tx) error {
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
	values = append(values, seq, sqlrow.Nano(l.s.o.Now()), l.num, l.epoch, l.seq)
	r, err := tx.ExecContext(ctx, l.kind.q(`UPDATE %runs SET `+set+`, seq = ?, updated = ? WHERE num = ? AND epoch = ? AND seq = ?`), values...)
	if err != nil {
		return err
	}
	if changed, err := r.RowsAffected(); err != nil || changed == 1 {
		return err
	}
	if err := l.compareEpoch(ctx, tx); err != nil {
		return err
	}
	return fmt.Errorf("the record moved on without this lease: acquire the %s again", l.kind.name)
}

// acquire runs the transaction that acquires the run, with what is known of its journal;
// f reports whether the lease is taken from a living owner, who then has to find out.
// An error leaves nothing held.
func (l *lease[S, E]) acquire(ctx context.Context, f func(*sql.Tx, *audit) (tookOver bool, err error)) error {
	tookOver := false
	journal, err := l.s.auditRun(ctx, l.kind, l.id)
	if err == nil {
		err = l.s.write(ctx, fmt.Sprintf("acquire %s %q", l.kind.name, l.id), func(tx *sql.Tx) (err error) {
			tookOver, err = f(tx, journal)
			return err
		})
	}
	if err != nil {
		l.drop()
		return err
	}
	if tookOver {
		l.s.wakeOwner(l.kind, l.id)
	}
	l.beats.Go(l.beat)
	return nil
}

// mayTake asks the kernel whether the owner of a run lives. An unknown result refuses the
// lease.
func (s *Store) mayTake(k kind, id string, epoch int64, o Owner, takeOver bool) (held bool, err error) {
	held, err = heldBy(s.runLock(k, id), epoch, o)
	if err == nil && held && !takeOver {
		err = &HeldError{Kind: k.name, What: id, Owner: o}
	}
	return held, err
}

// continueJournal continues the journal at its newest event. In one from before the
// chain the state is recorded, as the one that the events from now on change.
func (l *lease[S, E]) continueJournal(ctx context.Context, tx *sql.Tx, c chain) error {
	l.head = c.head
	if c.based {
		return nil
	}
	base, err := json.Marshal(l.state)
	if err != nil {
		return err
	}
	return l.kind.rebase(ctx, tx, l.num, l.seq, base)
}

// markTaken records that the events of this transaction carry out these messages.
func (l *lease[S, E]) markTaken(ctx context.Context, tx *sql.Tx, took []int64) error {
	for _, id := range took {
		_, err := tx.ExecContext(ctx, l.kind.q(`UPDATE %inbox SET taken = ? WHERE num = ? AND %key = ?`), sqlrow.Nano(l.s.o.Now()), id, l.num)
		if err != nil {
			return err
		}
	}
	return nil
}

// ForgetRecovery drops the record of earlier tries: the user resumed the run.
func (l *lease[S, E]) ForgetRecovery(ctx context.Context) error {
	return l.write(ctx, fmt.Sprintf("resume %s %s", l.kind.name, l.id), func(tx *sql.Tx) error {
		if err := l.compareEpoch(ctx, tx); err != nil {
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
