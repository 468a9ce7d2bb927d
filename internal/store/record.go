package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// Record is all that is known about one loop.
type Record struct {
	State      loop.State
	Epoch, Seq int64
	Owner      Owner
	Live       bool
	Crashed    bool
	Archived   bool
	// Holds: it counts against the limit of loops.
	Holds bool
	// Recovery records the restarts of a crashed loop.
	Recovery recovery.Record
	// Dir holds the loop's big files.
	Dir string
}

// Load reads one loop.
func (s *Store) Load(ctx context.Context, id string) (Record, error) {
	for {
		e, st, err := s.peek(ctx, id)
		if err != nil {
			return Record{}, err
		}
		if e.crashed() && s.moved(ctx, e) {
			continue
		}
		return s.withRecovery(ctx, e, s.recordOf(e, st))
	}
}

// withRecovery adds what supervisors did for a crashed loop.
func (s *Store) withRecovery(ctx context.Context, e Entry, r Record) (Record, error) {
	if !r.Crashed {
		return r, nil
	}
	err := s.read(ctx, "read the recovery of loop "+e.ID, func(tx *sql.Tx) error {
		have, err := recoveryOf(ctx, tx, recovery.Loop, e.num)
		r.Recovery = have.Since(judged(r.State))
		return err
	})
	return r, err
}

func (s *Store) recordOf(e Entry, st loop.State) Record {
	return Record{
		State: st, Epoch: e.Epoch, Seq: e.Seq, Owner: e.Owner,
		Live: e.Live, Crashed: e.crashed(), Archived: e.Archived, Holds: e.holdsSlot(s.o.Now()), Dir: s.filesOf(e),
	}
}

func (s *Store) peek(ctx context.Context, id string) (e Entry, st loop.State, err error) {
	found := false
	err = s.read(ctx, "load loop "+id, func(tx *sql.Tx) error {
		found = true
		if e, err = entryOf(ctx, tx, id); err != nil {
			return err
		}
		st, err = stateOf(ctx, tx, e.num)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("load loop %q: %w", id, ErrNoLoop)
	}
	e.Live = err == nil && s.lives(e)
	return e, st, err
}

// moved reports whether the row changed since e was read: an owner commits
// before it releases the lock, so a free lock counts only for an unchanged row.
func (s *Store) moved(ctx context.Context, e Entry) bool {
	var now Entry
	err := s.read(ctx, "look again at loop "+e.ID, func(tx *sql.Tx) (err error) {
		now, err = entryOf(ctx, tx, e.ID)
		return err
	})
	return err == nil && (now.Epoch != e.Epoch || now.Seq != e.Seq || now.Archived != e.Archived)
}

// lives reports whether the owner of the present epoch, or a later one, is
// alive. An owner whose lock cannot be read is shown as dead, and its loop
// cannot be acquired either.
func (s *Store) lives(e Entry) bool {
	if e.Archived {
		return false
	}
	if e.Mode == loop.AgentDriven {
		return !e.Status.Terminal() && e.holdsSlot(s.o.Now())
	}
	held, err := heldBy(s.ownerLock(e.ID), e.Epoch, e.Owner)
	return held && err == nil
}

// filesOf is where the loop's files are. Archiving moves them before the row, so
// in between they are where the row does not say.
func (s *Store) filesOf(e Entry) string {
	here, there := s.loopDir(e.ID), s.archiveDir(e.ID)
	if e.Archived {
		here, there = there, here
	}
	if _, err := os.Lstat(here); err != nil {
		if _, err := os.Lstat(there); err == nil {
			return there
		}
	}
	return here
}

func entryOf(ctx context.Context, tx *sql.Tx, id string) (Entry, error) {
	row := tx.QueryRowContext(ctx, `SELECT `+entryColumns+` FROM loops WHERE id = ?`, id)
	e, err := scanEntry(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return e, ErrNoLoop
	}
	return e, err
}

func stateOf(ctx context.Context, tx *sql.Tx, num int64) (st loop.State, err error) {
	var data []byte
	if err := tx.QueryRowContext(ctx, `SELECT data FROM states WHERE num = ?`, num).Scan(&data); err != nil {
		return st, fmt.Errorf("read state: %w", err)
	}
	if err := json.Unmarshal(data, &st); err != nil {
		return st, fmt.Errorf("read state: %w", err)
	}
	return st, nil
}

// Records is List with the full record of each loop, in one query for commands
// that show many. An ended loop has no owner here.
func (s *Store) Records(ctx context.Context, f Filter) ([]Record, error) {
	var entries []Entry
	var states []loop.State
	err := s.read(ctx, "list loops", func(tx *sql.Tx) (err error) {
		if entries, err = list(ctx, tx, f); err == nil {
			states, err = statesOf(ctx, tx, entries)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]Record, len(entries))
	for i, e := range entries {
		if out[i], err = s.record(ctx, e, states[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// record finds out whether the owner lives. A row that changed meanwhile is
// read again.
func (s *Store) record(ctx context.Context, e Entry, st loop.State) (Record, error) {
	e.Live = !e.Status.Terminal() && s.lives(e)
	if e.crashed() && s.moved(ctx, e) {
		return s.Load(ctx, e.ID)
	}
	return s.withRecovery(ctx, e, s.recordOf(e, st))
}

func statesOf(ctx context.Context, tx *sql.Tx, entries []Entry) ([]loop.State, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	one, err := tx.PrepareContext(ctx, `SELECT data FROM states WHERE num = ?`)
	if err != nil {
		return nil, err
	}
	defer one.Close()
	out := make([]loop.State, len(entries))
	for i, e := range entries {
		var data []byte
		if err := one.QueryRowContext(ctx, e.num).Scan(&data); err != nil {
			return nil, fmt.Errorf("read state of loop %s: %w", e.ID, err)
		}
		if err := json.Unmarshal(data, &out[i]); err != nil {
			return nil, fmt.Errorf("read state of loop %s: %w", e.ID, err)
		}
	}
	return out, nil
}
