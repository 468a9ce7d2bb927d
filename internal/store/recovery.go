package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// judged counts the attempts that have a verdict.
func judged(st loop.State) int {
	n, _ := st.Judged()
	return n
}

// Claim takes an action for the caller, and tells the bus. It reports false when
// the run is no longer as it was seen: another supervisor was faster, or its owner
// is back.
func (s *Store) Claim(ctx context.Context, a recovery.Action, by string) (won bool, err error) {
	err = s.write(ctx, fmt.Sprintf("%s %s %q", a.Verb, a.Kind, a.ID), func(tx *sql.Tx) error {
		o, err := s.orphanOf(ctx, tx, a.Run)
		if err != nil {
			return err
		}
		now, err := recoveryOf(ctx, tx, a.Kind, o.num)
		if err != nil {
			return err
		}
		held, err := lockedFrom(o.lock, o.epoch)
		if err != nil || o.epoch != a.Epoch || o.over || held != a.Live || !same(now, a.Before) {
			return err
		}
		won = true
		n := care{string(a.Reason), tale{Detail: a.Why, By: by}}
		if a.Verb != recovery.Leave {
			n.Try = a.After.Tries
		}
		return s.putRecovery(ctx, tx, o, a.After, a.Name(), n)
	})
	if won && err == nil {
		s.show(ctx, a.ID)
	}
	return won && err == nil, err
}

// RecoveryFailed corrects the record of a try that failed, unless another
// supervisor has replaced it since.
func (s *Store) RecoveryFailed(ctx context.Context, a recovery.Action, now recovery.Record, by string) error {
	err := s.write(ctx, fmt.Sprintf("record the recovery of %s %q", a.Kind, a.ID), func(tx *sql.Tx) error {
		o, err := s.orphanOf(ctx, tx, a.Run)
		if err != nil {
			return err
		}
		if have, err := recoveryOf(ctx, tx, a.Kind, o.num); err != nil || !same(have, a.After) {
			return err
		}
		return s.putRecovery(ctx, tx, o, now, "rescue_failed", care{tale: tale{Detail: oneLine(now.Why, 200), By: by, Try: a.After.Tries}})
	})
	if err == nil {
		s.show(ctx, a.ID)
	}
	return err
}

// orphan is a run as the tables have it. over: it needs no process any more.
type orphan struct {
	kind       recovery.Kind
	num, epoch int64
	lock       string
	over       bool
}

func (s *Store) orphanOf(ctx context.Context, tx *sql.Tx, r recovery.Run) (orphan, error) {
	if r.Kind == recovery.Plan {
		num, p, err := s.planOf(ctx, tx, r.ID)
		return orphan{recovery.Plan, num, p.Epoch, s.planLock(r.ID), p.Archived || p.State.Status.Terminal()}, err
	}
	e, err := entryOf(ctx, tx, r.ID)
	return orphan{recovery.Loop, e.num, e.Epoch, s.ownerLock(r.ID), e.Archived || e.Status.Terminal()}, err
}

// same compares what tells two records apart.
func same(a, b recovery.Record) bool {
	return a.Tries == b.Tries && a.Left == b.Left && a.Last.Equal(b.Last)
}

// recoveryNote is the part of a record that no query needs.
type recoveryNote struct {
	Judged int    `json:"judged,omitempty"`
	Epoch  int64  `json:"epoch,omitempty"`
	Left   bool   `json:"left,omitempty"`
	Why    string `json:"why,omitempty"`
}

func recoveryOf(ctx context.Context, tx *sql.Tx, kind recovery.Kind, num int64) (r recovery.Record, err error) {
	var last, next int64
	var note string
	err = tx.QueryRowContext(ctx, `SELECT tries, last, next, note FROM recoveries WHERE kind = ? AND run = ?`, kind, num).
		Scan(&r.Tries, &last, &next, &note)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	var n recoveryNote
	if err := json.Unmarshal([]byte(note), &n); err != nil {
		return r, fmt.Errorf("read the note of a recovery: %w", err)
	}
	r.Last, r.Next, r.Progress, r.Epoch, r.Left, r.Why = fromNano(last), fromNano(next), n.Judged, n.Epoch, n.Left, n.Why
	return r, nil
}

// putRecovery replaces the record and tells the bus, in the caller's transaction.
// The bus numbers its lines in the table of the loops' events; a plan stands there
// with its number below zero.
func (s *Store) putRecovery(ctx context.Context, tx *sql.Tx, o orphan, r recovery.Record, name string, n care) error {
	note, err := json.Marshal(recoveryNote{r.Progress, r.Epoch, r.Left, oneLine(r.Why, 500)})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO recoveries (kind, run, tries, last, next, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		 ON CONFLICT (kind, run) DO UPDATE SET tries = ?3, last = ?4, next = ?5, note = ?6`,
		o.kind, o.num, r.Tries, nano(r.Last), nano(r.Next), string(note))
	if err != nil {
		return err
	}
	notice, err := noticeRow(name, s.o.Now(), n)
	if err != nil {
		return err
	}
	num := o.num
	if o.kind == recovery.Plan {
		num = -num
	}
	return loopRuns.append(ctx, tx, num, o.epoch, notice)
}

// sameMachine reports whether another owner ran here: a host may be renamed while
// it runs, and keeps its name when it starts again.
func (o Owner) sameMachine(p Owner) bool {
	return o.Host == p.Host || o.Boot != "" && o.Boot == p.Boot
}

// rebooted reports whether the machine was started again since p ran on it.
func (o Owner) rebooted(p Owner) bool {
	return o.Host == p.Host && o.Boot != "" && p.Boot != "" && o.Boot != p.Boot
}
