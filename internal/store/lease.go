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

	"ralph/internal/loop"
)

// Lease is the right to write one loop's record, as long as its epoch is the
// loop's. It may be used by several goroutines.
type Lease struct {
	s          *Store
	id         string
	num, epoch int64
	lock       *os.File
	// found is the newest message that lay there when the loop was taken up.
	found int64
	// ctx ends with the lease.
	ctx context.Context
	end context.CancelFunc

	// beats is the goroutine that shows life.
	beats sync.WaitGroup

	mu       sync.Mutex
	state    loop.State
	seq      int64
	released bool
	watch    *watch
}

// ID of the loop.
func (l *Lease) ID() string { return l.id }

// Epoch is the fencing token of this lease.
func (l *Lease) Epoch() int64 { return l.epoch }

// Found says whether a message lay there before the loop was taken up. Those
// after it were sent by somebody who saw this owner.
func (l *Lease) Found(m Message) bool { return m.ID <= l.found }

// Dir is where the loop's big files go.
func (l *Lease) Dir() string { return l.s.loopDir(l.id) }

// State is what was committed last.
func (l *Lease) State() loop.State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Seq is the number of the newest event, counted in the loop from 1.
func (l *Lease) Seq() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

func (s *Store) newLease(ctx context.Context, id string) *Lease {
	l := &Lease{s: s, id: id}
	l.ctx, l.end = context.WithCancel(context.WithoutCancel(ctx))
	return l
}

// Acquire takes a loop up, whatever its status is. A living owner keeps it
// unless takeOver is set; then the owner is fenced, and told so.
func (s *Store) Acquire(ctx context.Context, id string, takeOver bool) (*Lease, error) {
	return s.Resume(ctx, id, takeOver, Admission{})
}

// Resume is Acquire for somebody who will run the loop: one that holds no slot
// must be admitted like a new one.
func (s *Store) Resume(ctx context.Context, id string, takeOver bool, a Admission) (*Lease, error) {
	l := s.newLease(ctx, id)
	tookOver := false
	err := s.write(ctx, fmt.Sprintf("take up loop %q", id), func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		switch {
		case e.Archived:
			return ErrArchived
		case e.Mode == loop.AgentDriven:
			return ErrDriven
		}
		if tookOver, err = s.mayTake(e, takeOver); err != nil {
			return err
		}
		over := 0
		if !e.Status.Terminal() {
			if over, err = s.admit(ctx, tx, id, a); err != nil {
				return err
			}
		}
		if err := l.take(ctx, tx, e); err != nil || over == 0 {
			return err
		}
		l.state.ForcedOver = over
		return l.forced(ctx, tx, over)
	})
	if err != nil {
		l.letGo()
		return nil, err
	}
	if tookOver {
		s.poke(id)
	}
	l.beats.Go(l.beat)
	s.show(ctx, id)
	return l, nil
}

// mayTake asks the kernel. What it cannot answer is refused.
func (s *Store) mayTake(e Entry, takeOver bool) (held bool, err error) {
	held, err = lockedFrom(s.ownerLock(e.ID), e.Epoch)
	if err == nil && held && !takeOver {
		err = &HeldError{What: e.ID, Owner: e.Owner}
	}
	return held, err
}

// take raises the epoch. The lock comes first: nobody must see the new epoch
// without its owner.
func (l *Lease) take(ctx context.Context, tx *sql.Tx, e Entry) (err error) {
	l.num, l.epoch, l.seq = e.num, e.Epoch+1, e.Seq
	if l.state, err = stateOf(ctx, tx, e.num); err != nil {
		return err
	}
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(num), 0) FROM inbox WHERE loop = ?`, e.num).Scan(&l.found)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(l.Dir(), 0o700); err != nil {
		return err
	}
	if err := l.holdLock(); err != nil {
		return fmt.Errorf("lock epoch %d: %w", l.epoch, err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE loops SET epoch = ?, owner = ?, updated = ? WHERE num = ?`,
		l.epoch, l.s.ownerJSON(l.state), nano(l.s.o.Now()), l.num)
	return err
}

func (s *Store) ownerJSON(st loop.State) string {
	b, err := json.Marshal(s.ownerOf(st))
	if err != nil {
		return "{}"
	}
	return string(b)
}

// Check says whether the loop is still ours: nil, or a *FencedError.
func (l *Lease) Check(ctx context.Context) error {
	return l.s.read(ctx, "check the lease of loop "+l.id, func(tx *sql.Tx) error {
		return l.owned(ctx, tx)
	})
}

// owned compares the epoch.
func (l *Lease) owned(ctx context.Context, tx *sql.Tx) error {
	var epoch int64
	var owner string
	err := tx.QueryRowContext(ctx, `SELECT epoch, owner FROM loops WHERE num = ?`, l.num).Scan(&epoch, &owner)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return &FencedError{ID: l.id, Epoch: l.epoch, Forgotten: true}
	case err != nil:
		return err
	case epoch != l.epoch:
		return &FencedError{ID: l.id, Epoch: l.epoch, Now: epoch, NewOwner: decodeOwner(owner)}
	}
	return nil
}

// Release lets go of the loop. The record says whether it has ended; a loop that
// was left running counts as crashed.
func (l *Lease) Release(ctx context.Context) error {
	l.mu.Lock()
	released, w := l.released, l.watch
	l.released = true
	l.mu.Unlock()
	if released {
		return nil
	}
	l.letGo()
	l.beats.Wait()
	if w != nil {
		w.ends.Wait()
	}
	l.s.show(ctx, l.id)
	return nil
}

func (l *Lease) letGo() {
	l.end()
	if l.lock != nil {
		unlock(l.lock)
	}
}

// holdLock takes the byte of this lease's epoch. A lock file that was removed
// meanwhile, with a loop that never came to be, is not believed.
func (l *Lease) holdLock() error {
	path := l.s.ownerLock(l.id)
	for range 10 {
		f, err := lockAt(path, l.epoch)
		if err != nil {
			return err
		}
		ours, err := f.Stat()
		there, err2 := os.Lstat(path)
		if err == nil && (err2 != nil || !os.SameFile(ours, there)) && runtime.GOOS == "linux" {
			_ = f.Close()
			continue
		}
		l.lock = f
		return err
	}
	return errLocked
}
