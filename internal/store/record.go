package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// LoopRecord is all that is known about one loop.
type LoopRecord struct {
	State      loop.State
	Epoch, Seq int64
	Owner      Owner
	Live       bool
	Crashed    bool
	Archived   bool
	Updated    time.Time
	// Holds: it counts against the limit of loops.
	Holds bool
	// Damage is what is wrong with the loop's row, of which State then shows only the
	// name; empty is nothing.
	Damage string
	// Recovery records the restarts of a crashed loop.
	Recovery recovery.Restarts
	// Dir holds the loop's big files.
	Dir string
}

// Read returns one loop. One whose row is damaged waits for a person: see LoopRecord.Damage.
func (s *Store) Read(ctx context.Context, id string) (LoopRecord, error) {
	for {
		e, st, err := s.readOnce(ctx, id)
		what, damaged := damageOf(err)
		if err != nil && !damaged {
			return LoopRecord{}, err
		}
		if e.crashed() && s.changedSince(ctx, e) {
			continue
		}
		if damaged {
			st = e.damaged(what)
		}
		return s.withRecovery(ctx, e, s.recordOf(e, st, what))
	}
}

// damaged is the state that is shown in place of one that cannot be believed.
func (e *Entry) damaged(what string) loop.State {
	st := loop.State{Status: loop.Waiting, Reason: loop.Damaged, Iteration: e.Iteration, StartedAt: e.StartedAt}
	st.ID, st.Mode, st.Parent, st.Branch = e.ID, e.Mode, e.Parent, e.Branch
	st.Task.Text, st.Task.ID, st.Agent.Name, st.Limits.MaxIterations = e.Task, e.TaskID, e.Agent, e.MaxIterations
	st.Message = (&DamageError{recovery.Loop, e.ID, what}).Error()
	return st
}

// withRecovery adds what supervisors did for a crashed loop.
func (s *Store) withRecovery(ctx context.Context, e Entry, r LoopRecord) (LoopRecord, error) {
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

func (s *Store) recordOf(e Entry, st loop.State, damage string) LoopRecord {
	return LoopRecord{
		State: st, Damage: damage, Epoch: e.Epoch, Seq: e.Seq, Owner: e.Owner,
		Live: e.Live, Crashed: e.crashed(), Archived: e.Archived, Updated: e.UpdatedAt, Holds: e.holdsSlot(s.o.Now()), Dir: s.filesOf(e),
	}
}

// readOnce reads one loop. With a *DamageError its row can be read, but not its state.
func (s *Store) readOnce(ctx context.Context, id string) (e Entry, st loop.State, err error) {
	found := false
	err = s.read(ctx, "load loop "+id, func(tx *sql.Tx) error {
		found = true
		if e, err = entryOf(ctx, tx, id); err != nil {
			return err
		}
		st, _, err = stateOf(ctx, tx, e)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("load loop %q: %w", id, ErrNoLoop)
	}
	if _, damaged := damageOf(err); err == nil || damaged {
		e.Live = s.loopLives(e)
	}
	return e, st, err
}

// row reads one loop without its state.
func (s *Store) row(ctx context.Context, id string) (Entry, error) {
	e, _, err := s.readOnce(ctx, id)
	if _, damaged := damageOf(err); damaged {
		err = nil
	}
	return e, err
}

// changedSince reports whether the row changed since e was read: an owner commits
// before it releases the lock, so a free lock counts only for an unchanged row.
func (s *Store) changedSince(ctx context.Context, e Entry) bool {
	var now Entry
	err := s.read(ctx, "look again at loop "+e.ID, func(tx *sql.Tx) (err error) {
		now, err = entryOf(ctx, tx, e.ID)
		return err
	})
	return err == nil && (now.Epoch != e.Epoch || now.Seq != e.Seq || now.Archived != e.Archived)
}

// loopLives reports whether the owner of the present epoch, or a later one, is alive; of a
// loop that its agent drives, whether it has its place.
func (s *Store) loopLives(e Entry) bool {
	if e.Archived {
		return false
	}
	if e.Mode == loop.AgentDriven {
		return !e.Status.Terminal() && e.holdsSlot(s.o.Now())
	}
	return lives(s.ownerLock(e.ID), e.Epoch, e.Owner)
}

// lives reports whether the owner of an epoch is alive. One whose lock cannot be read is
// shown as dead, and its run cannot be acquired either: no other run suffers from it.
func lives(lock string, epoch int64, o Owner) bool {
	held, err := heldBy(lock, epoch, o)
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

// stateOf reads the state of a loop. One that cannot be read, or is not the one that was
// recorded, is a *DamageError.
func stateOf(ctx context.Context, tx *sql.Tx, e Entry) (loop.State, chain, error) {
	one, err := tx.PrepareContext(ctx, loopRuns.q(stateQuery))
	if err != nil {
		return loop.State{}, chain{}, err
	}
	defer one.Close()
	return readState(ctx, tx, one, e)
}

const stateQuery = `SELECT s.data, ` + chainColumns + ` FROM %runs r LEFT JOIN states s ON s.num = r.num` + chainJoin + ` WHERE r.num = ?`

func readState(ctx context.Context, tx *sql.Tx, query *sql.Stmt, e Entry) (st loop.State, c chain, err error) {
	var data []byte
	var r chainRow
	if err := query.QueryRowContext(ctx, e.num).Scan(append([]any{&data}, r.to()...)...); err != nil {
		return st, c, fmt.Errorf("read the state of loop %s: %w", e.ID, err)
	}
	damage := func(what string) error { return &DamageError{recovery.Loop, e.ID, what} }
	if err := json.Unmarshal(data, &st); err != nil {
		return st, c, damage(fmt.Sprintf("its state cannot be read: %v", err))
	}
	c, what := r.chain(loopRuns, e.ID, e.Seq)
	if what != "" {
		return st, c, damage(what)
	}
	if err := c.sealed(ctx, tx, loopRuns, e.num, e.Seq, e.ID, digest(data)); err != nil {
		return st, c, err
	}
	if st.ID != e.ID || st.Status != e.Status || st.Reason != e.Reason {
		return st, c, damage(fmt.Sprintf("its row is about %s (%s) and its state about %s (%s)", e.ID, e.Status, st.ID, st.Status))
	}
	return st, c, nil
}

// List is Entries with the full record of each loop, in one query for commands
// that show many. An ended loop has no owner here.
func (s *Store) List(ctx context.Context, f Filter) ([]LoopRecord, error) {
	var entries []Entry
	var states []readRecord
	err := s.read(ctx, "list loops", func(tx *sql.Tx) (err error) {
		if entries, err = list(ctx, tx, f); err == nil {
			states, err = statesOf(ctx, tx, entries)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]LoopRecord, len(entries))
	for i, e := range entries {
		if out[i], err = s.record(ctx, e, states[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readRecord is a state, or what is damaged.
type readRecord struct {
	state  loop.State
	damage string
}

// record finds out whether the owner lives. A row that changed meanwhile is
// read again.
func (s *Store) record(ctx context.Context, e Entry, r readRecord) (LoopRecord, error) {
	e.Live = !e.Status.Terminal() && s.loopLives(e)
	if e.crashed() && s.changedSince(ctx, e) {
		return s.Read(ctx, e.ID)
	}
	return s.withRecovery(ctx, e, s.recordOf(e, r.state, r.damage))
}

func statesOf(ctx context.Context, tx *sql.Tx, entries []Entry) ([]readRecord, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	one, err := tx.PrepareContext(ctx, loopRuns.q(stateQuery))
	if err != nil {
		return nil, err
	}
	defer one.Close()
	out := make([]readRecord, len(entries))
	for i, e := range entries {
		var damaged bool
		out[i].state, _, err = readState(ctx, tx, one, e)
		if out[i].damage, damaged = damageOf(err); damaged {
			out[i].state = e.damaged(out[i].damage)
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}
