package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// Lease is the right to write one loop's record.
type Lease struct {
	lease[loop.State, loop.Event]
	// found is the newest message that lay there when the loop was acquired.
	found int64
	// slot is the machine's, once it was asked for.
	slot *slot
}

func (s *Store) newLease(ctx context.Context, id string) *Lease {
	return &Lease{lease: newLease[loop.State, loop.Event](ctx, s, loopRuns, id)}
}

// Found reports whether a message lay there before the loop was acquired. Later
// ones were sent by a sender that saw this owner.
func (l *Lease) Found(m Message) bool { return m.ID <= l.found }

// Acquire returns the lease of a loop in any status: the right to write its record and to
// acquire worktrees for it. A living owner keeps it unless takeOver is set; then the owner
// is fenced and notified. The caller does not run the loop: to run it, AcquireToRun.
func (s *Store) Acquire(ctx context.Context, id string, takeOver bool) (*Lease, error) {
	return s.AcquireToRun(ctx, id, takeOver, Admission{})
}

// AcquireToRun is Acquire for a caller that will run the loop: one that holds no slot
// must be admitted like a new one.
func (s *Store) AcquireToRun(ctx context.Context, id string, takeOver bool, a Admission) (*Lease, error) {
	l := s.newLease(ctx, id)
	tookOver := false
	journal, err := s.auditRun(ctx, loopRuns, id)
	if err != nil {
		l.drop()
		return nil, err
	}
	err = s.write(ctx, fmt.Sprintf("acquire loop %q", id), func(tx *sql.Tx) error {
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
		a.Parent = e.Parent
		over := 0
		if !e.Status.Terminal() {
			if over, err = s.admit(ctx, tx, id, a); err != nil {
				return err
			}
		}
		if err := l.raiseEpoch(ctx, tx, e, journal); err != nil || over == 0 {
			return err
		}
		l.state.ForcedOver = over
		return l.forced(ctx, tx, over)
	})
	if err != nil {
		l.drop()
		return nil, err
	}
	if tookOver {
		s.poke(loopRuns, id)
	}
	l.beats.Go(l.beat)
	s.show(ctx, id)
	return l, nil
}

// mayTake asks the kernel whether an owner lives. An unknown result refuses the
// lease.
func (s *Store) mayTake(e Entry, takeOver bool) (held bool, err error) {
	held, err = heldBy(s.ownerLock(e.ID), e.Epoch, e.Owner)
	if err == nil && held && !takeOver {
		err = &HeldError{Kind: recovery.Loop, What: e.ID, Owner: e.Owner}
	}
	return held, err
}

// raiseEpoch raises the epoch. The lock comes first: no reader may see the new epoch
// without its owner.
func (l *Lease) raiseEpoch(ctx context.Context, tx *sql.Tx, e Entry, journal *audit) (err error) {
	c, err := l.read(ctx, tx, e)
	if err != nil {
		return err
	}
	l.epoch++
	if err := journal.finish(ctx, tx, e.num, e.Seq, &c); err != nil {
		return err
	}
	if err := c.compute(ctx, tx, l.kind, l.num, l.seq, l.id); err != nil {
		return err
	}
	if err := l.continueJournal(ctx, tx, c); err != nil {
		return err
	}
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(num), 0) FROM inbox WHERE loop = ?`, e.num).Scan(&l.found)
	if err != nil {
		return err
	}
	if err := l.holdLock(); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE loops SET epoch = ?, owner = ?, updated = ? WHERE num = ?`,
		l.epoch, l.s.ownerJSON(l.state), nano(l.s.o.Now()), l.num)
	return err
}

// read is what the loop's row says, if it is not damaged.
func (l *Lease) read(ctx context.Context, tx *sql.Tx, e Entry) (c chain, err error) {
	l.num, l.epoch, l.seq = e.num, e.Epoch, e.Seq
	l.state, c, err = stateOf(ctx, tx, e)
	return c, err
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

func (s *Store) ownerJSON(st loop.State) string {
	b, err := json.Marshal(s.ownerOf(st))
	if err != nil {
		return "{}"
	}
	return string(b)
}

// Release ends the lease. A loop whose record is still running counts as
// crashed from then on.
func (l *Lease) Release(ctx context.Context) error {
	l.releaseSlot()
	if l.release() {
		l.s.show(ctx, l.id)
	}
	return nil
}

// beatFile shows that the process that holds a run is not stopped: its number
// grows every few seconds. It does not decide ownership, needs no disk, and is
// never read by an owner.
const beatFile = "beat"

// beatEvery leaves six of them in the 30 s after which an owner counts as
// stopped (package recovery).
const beatEvery = 5 * time.Second

// beat writes the heartbeat until the lease ends.
func (l *lease[S, E]) beat() {
	every := time.NewTicker(beatEvery)
	defer every.Stop()
	for n := 1; ; n++ {
		l.s.writeBeat(l.kind, l.id, fmt.Appendf(nil, "%d %d\n", l.epoch, n))
		select {
		case <-every.C:
		case <-l.ctx.Done():
			return
		}
	}
}

// writeBeat replaces the file's first line in one write. One that fails is made
// up for by the next.
func (s *Store) writeBeat(k kind, id string, line []byte) {
	f, err := os.OpenFile(filepath.Join(s.runDir(k, id), beatFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteAt(line, 0)
}

// beatOf is the number that the owner with this epoch has come to; 0 is unknown.
func (s *Store) beatOf(k kind, id string, epoch int64) int64 {
	text, err := os.ReadFile(filepath.Join(s.runDir(k, id), beatFile))
	if err != nil {
		return 0
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	of, n, _ := bytes.Cut(line, []byte(" "))
	if at, err := strconv.ParseInt(string(of), 10, 64); err != nil || at != epoch {
		return 0
	}
	count, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil {
		return 0
	}
	return count
}
