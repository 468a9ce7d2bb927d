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

// Orphaned lists the loops that somebody should be running, and what was done
// for them: those whose owner of this machine is gone, and those whose owner
// lives and may be stopped. One that waits for an answer until a deadline is to be
// run then, unless a terminal asks.
func (s *Store) Orphaned(ctx context.Context) ([]recovery.Run, error) {
	entries, err := s.List(ctx, Filter{Active: true})
	if err != nil {
		return nil, err
	}
	me := s.myself()
	var out []recovery.Run
	for _, e := range entries {
		left := e.Crashed || e.timed() && !s.Prompted(e.ID)
		if e.Mode != loop.Supervised || !e.Live && !left || !me.sameMachine(e.Owner) {
			continue
		}
		l := recovery.Run{ID: e.ID, Epoch: e.Epoch, Crashed: left, Rebooted: left && me.rebooted(e.Owner)}
		if e.Status == loop.Waiting {
			l.Wake = e.Wake
		}
		if e.Live {
			l.Heartbeat = s.beatOf(e.ID, e.Epoch)
		}
		planned := false
		err := s.read(ctx, "look after loop "+e.ID, func(tx *sql.Tx) error {
			st, err := stateOf(ctx, tx, e.num)
			if err != nil {
				return err
			}
			// What a task of a plan asks is its plan's to wait for, and one that is to
			// pause is left with all its loops.
			if planned = st.InPlan() && !e.Live && !e.Crashed; st.InPlan() && e.Crashed {
				if planned, err = s.planRests(ctx, tx, st.Parent); err != nil {
					return err
				}
			}
			l.Progress = judged(st)
			l.Record, err = recoveryOf(ctx, tx, e.num)
			return err
		})
		if err != nil {
			return out, err
		}
		if !planned {
			out = append(out, l)
		}
	}
	return out, nil
}

// planRests: a person asked for a pause of the plan.
func (s *Store) planRests(ctx context.Context, tx *sql.Tx, id string) (bool, error) {
	_, r, err := s.planOf(ctx, tx, id)
	if errors.Is(err, ErrNoPlan) {
		return false, nil
	}
	return r.State.PauseAsked, err
}

// judged counts the attempts that have a verdict.
func judged(st loop.State) (n int) {
	for _, a := range st.Attempts {
		if a.Verdict != "" {
			n++
		}
	}
	return n
}

// Claim takes an act for the caller, and says so on the bus. It answers false
// when things are no longer as they were seen: somebody else was faster.
func (s *Store) Claim(ctx context.Context, a recovery.Action, by string) (won bool, err error) {
	err = s.write(ctx, fmt.Sprintf("%s loop %q", a.Verb, a.ID), func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		now, err := recoveryOf(ctx, tx, e.num)
		if err != nil {
			return err
		}
		held, err := lockedFrom(s.ownerLock(e.ID), e.Epoch)
		if err != nil || e.Epoch != a.Epoch || e.Archived || e.Status.Terminal() || held != !a.Crashed || !same(now, a.Before) {
			return err
		}
		won = true
		n := care{string(a.Reason), tale{Detail: a.Why, By: by}}
		if a.Verb != recovery.Leave {
			n.Try = a.After.Tries
		}
		return s.putRecovery(ctx, tx, e, a.After, a.Name(), n)
	})
	if won && err == nil {
		s.show(ctx, a.ID)
	}
	return won && err == nil, err
}

// RecoveryFailed corrects the record of a try that came to nothing. Somebody
// else's later record stands.
func (s *Store) RecoveryFailed(ctx context.Context, id string, claimed, now recovery.Record, by string) error {
	err := s.write(ctx, fmt.Sprintf("record the rescue of loop %q", id), func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if have, err := recoveryOf(ctx, tx, e.num); err != nil || !same(have, claimed) {
			return err
		}
		return s.putRecovery(ctx, tx, e, now, "rescue_failed", care{tale: tale{Detail: oneLine(now.Why, 200), By: by, Try: claimed.Tries}})
	})
	if err == nil {
		s.show(ctx, id)
	}
	return err
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

func recoveryOf(ctx context.Context, tx *sql.Tx, num int64) (r recovery.Record, err error) {
	var last, next int64
	var note string
	err = tx.QueryRowContext(ctx, `SELECT tries, last, next, note FROM rescues WHERE loop = ?`, num).Scan(&r.Tries, &last, &next, &note)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	var n recoveryNote
	if err := json.Unmarshal([]byte(note), &n); err != nil {
		return r, fmt.Errorf("read the note of a rescue: %w", err)
	}
	r.Last, r.Next, r.Progress, r.Epoch, r.Left, r.Why = fromNano(last), fromNano(next), n.Judged, n.Epoch, n.Left, n.Why
	return r, nil
}

// putRecovery replaces the record and tells the bus, in the caller's
// transaction.
func (s *Store) putRecovery(ctx context.Context, tx *sql.Tx, e Entry, r recovery.Record, name string, n care) error {
	note, err := json.Marshal(recoveryNote{r.Progress, r.Epoch, r.Left, oneLine(r.Why, 500)})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO rescues (loop, tries, last, next, note) VALUES (?1, ?2, ?3, ?4, ?5)
		 ON CONFLICT (loop) DO UPDATE SET tries = ?2, last = ?3, next = ?4, note = ?5`,
		e.num, r.Tries, nano(r.Last), nano(r.Next), string(note))
	if err != nil {
		return err
	}
	return s.tellBus(ctx, tx, e, name, n)
}

// tellBus adds a notice to the events.
func (s *Store) tellBus(ctx context.Context, tx *sql.Tx, e Entry, name string, n care) error {
	r, err := noticeRow(name, s.o.Now(), n)
	if err != nil {
		return err
	}
	l := Lease{num: e.num, epoch: e.Epoch}
	return l.appendRow(ctx, tx, r)
}

// ForgetRecovery forgets what was done for a loop: a person has taken it up.
func (l *Lease) ForgetRecovery(ctx context.Context) error {
	return l.s.write(ctx, "take up loop "+l.id, func(tx *sql.Tx) error {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM rescues WHERE loop = ?`, l.num)
		return err
	})
}

// sameMachine says whether another owner ran here: a host may be renamed while
// it runs, and keeps its name when it starts again.
func (o Owner) sameMachine(p Owner) bool {
	return o.Host == p.Host || o.Boot != "" && o.Boot == p.Boot
}

// rebooted: the machine was started again since p ran on it.
func (o Owner) rebooted(p Owner) bool {
	return o.Host == p.Host && o.Boot != "" && p.Boot != "" && o.Boot != p.Boot
}
