package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"

	"ralph/internal/durable"
	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// Create records a new loop and acquires it, in one transaction and before any
// other work. A refusal (ErrExists, *SameTaskError, *AdmissionError, a bad id) leaves nothing behind.
func (s *Store) Create(ctx context.Context, st loop.State, a Admission) (*LoopLease, error) {
	l := s.newLoopLease(ctx, st.ID)
	if err := s.create(ctx, l, st, a, l.holdLock); err != nil {
		l.drop()
		return nil, err
	}
	l.beats.Go(l.beat)
	s.show(ctx, st.ID)
	return l, nil
}

// create records a new loop under l; hold sets its owner.
func (s *Store) create(ctx context.Context, l *LoopLease, st loop.State, a Admission, hold func() error) error {
	return s.createOn(ctx, l, st, a, hold, nil)
}

// createOn is create for a journal that begins with the state base; nil is st.
func (s *Store) createOn(ctx context.Context, l *LoopLease, st loop.State, a Admission, hold func() error, base []byte) error {
	if err := loop.ValidID(st.ID); err != nil {
		return err
	}
	data, err := json.Marshal(st)
	if err != nil {
		return fmt.Errorf("record loop %s: %w", st.ID, err)
	}
	l.epoch, l.seq, l.state = 1, 1, st
	a.Parent = st.Parent
	held := false
	err = s.write(ctx, "create loop "+st.ID, func(tx *sql.Tx) error {
		if err := loopRuns.unused(ctx, tx, st.ID); err != nil {
			return err
		}
		if a.Alone {
			if err := alone(ctx, tx, st); err != nil {
				return err
			}
		}
		over, err := s.admit(ctx, tx, st.ID, a)
		if err != nil {
			return err
		}
		made, err := s.makeDir(st.ID)
		if err != nil {
			return err
		}
		if err := hold(); err != nil {
			return err
		}
		held = made
		if err := l.insert(ctx, tx, data, over); err != nil || base == nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE journals SET base = ? WHERE kind = 'loop' AND run = ?`, base, l.num)
		return err
	})
	if err != nil && held {
		s.removeEmpty(st.ID)
	}
	return err
}

// insert writes the loop's rows and its first event.
func (l *LoopLease) insert(ctx context.Context, tx *sql.Tx, data []byte, over int) (err error) {
	if over > 0 {
		l.state.ForcedOver = over
		if data, err = json.Marshal(l.state); err != nil {
			return err
		}
	}
	rows, err := firstRow(l.state, "")
	if err != nil {
		return err
	}
	return l.insertRun(ctx, tx, data, l.s.ownerJSON(l.state), rows)
}

// firstRow is the row of a loop's first event; see loop.State.Creation.
func firstRow(st loop.State, from string) ([]row, error) {
	return encode(0, []loop.Event{st.Creation(from)}, loop.Encode)
}

// insertRun writes the rows of a new loop, and its journal.
func (l *LoopLease) insertRun(ctx context.Context, tx *sql.Tx, data []byte, owner string, rows []row) error {
	if err := l.insertRow(ctx, tx, data, owner); err != nil {
		return err
	}
	l.head = l.kind.genesis(l.id).follow(l.epoch, rows)
	if err := l.kind.register(ctx, tx, l.num, l.seq, data, l.head.seal(digest(data))); err != nil {
		return err
	}
	return l.append(ctx, tx, rows...)
}

// insertRow writes the row of a new loop, its state, and its attempts where it was
// imported.
func (l *LoopLease) insertRow(ctx context.Context, tx *sql.Tx, data []byte, owner string) error {
	st := l.state
	if err := l.s.listSession(ctx, tx, st); err != nil {
		return err
	}
	summary, err := json.Marshal(summarise(st))
	if err != nil {
		return err
	}
	r, err := tx.ExecContext(ctx,
		`INSERT INTO loops (id, mode, status, reason, epoch, seq, ended, deadline, updated, owner, summary, in_plan)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? OR EXISTS (SELECT 1 FROM plans WHERE id = ?))`,
		st.ID, st.Mode, st.Status, st.Reason, l.epoch, l.seq, st.Status.Terminal(), sqlrow.Nano(st.EndsAt()),
		sqlrow.Nano(l.s.o.Now()), owner, string(summary), st.InPlan(), st.Parent)
	if err != nil {
		return err
	}
	if l.num, err = r.LastInsertId(); err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, `INSERT INTO states (num, data) VALUES (?, ?)`, l.num, data); err != nil {
		return err
	}
	attempts, err := changedAttempts(nil, st.Recent)
	if err != nil {
		return err
	}
	return writeAttempts(ctx, tx, l.num, attempts)
}

// makeDir makes the loop's directory. Leftovers of an earlier attempt to create
// it are used; anything more belongs to a loop the database has lost.
func (s *Store) makeDir(id string) (made bool, err error) {
	dir := s.loopDir(id)
	if err := durable.MkdirAll(dir); err != nil {
		return false, err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if f.Name() != "owner.lock" && f.Name() != "wake" {
			return false, fmt.Errorf("%s holds files of a loop that is not recorded: %w", dir, fs.ErrExist)
		}
	}
	return true, nil
}

// removeEmpty undoes makeDir. Lock files are removed only here: the loop was
// never created, and its lock is held, so that a waiting process notices.
func (s *Store) removeEmpty(id string) {
	_ = os.Remove(s.runLock(loopRuns, id))
	_ = os.Remove(s.loopDir(id))
}
