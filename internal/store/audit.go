package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ralph/internal/store/sqlrow"
)

// audit reads a journal and finds what does not fit.
type audit struct {
	k     kind
	id    string
	first int64
	// seq is the newest event that was read, head its link.
	seq  int64
	head link
	// older is the link of event number first.
	older link
	// unsure: an event is missing before the next one, which cannot be compared.
	unsure bool
	wrong  []fault
	// newest is the number of the newest event, 0 where it is not known yet.
	newest int64
	// each is called for every event, unless it is nil.
	each func(seq int64, name string, data []byte)
}

// What does not fit with an event.
const (
	faultTwice   = "is recorded twice"
	faultMissing = "is missing"
	faultHash    = "has lost its hash"
	faultChanged = "was changed, or one before it"
	faultAdded   = "was added"
	faultUnknown = "has no hash, and is not in a copy made before a migration"
)

// fault is what does not fit at the events from one number to another.
type fault struct {
	from, to int64
	what     string
}

func (f fault) String() string {
	if f.from == f.to {
		return fmt.Sprintf("event %d %s", f.from, f.what)
	}
	return fmt.Sprintf("events %d to %d: each %s", f.from, f.to, f.what)
}

func (k kind) auditOf(id string, first int64) *audit {
	return &audit{k: k, id: id, first: first, head: k.genesis(id)}
}

// read continues with the events after a number.
func (a *audit) read(ctx context.Context, tx *sql.Tx, num, after int64) error {
	return a.readRows(ctx, tx, a.k.q(`SELECT seq, epoch, at, name, data, hash FROM %events WHERE %key = ? AND seq > ? ORDER BY seq, rowid`), num, after)
}

func (a *audit) readRows(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
		var seq, epoch, at int64
		var name, data, hash sql.RawBytes
		if err := rows.Scan(&seq, &epoch, &at, &name, &data, &hash); err != nil {
			return err
		}
		a.event(seq, epoch, at, name, data, hash)
		if a.each != nil {
			a.each(seq, string(name), data)
		}
		return nil
	}, query, args...)
}

func (a *audit) event(seq, epoch, at int64, name, data, hash []byte) {
	switch {
	case a.newest > 0 && seq > a.newest:
		a.fault(seq, seq, faultAdded)
		return
	case seq == a.seq:
		a.fault(seq, seq, faultTwice)
		return
	case seq > a.seq+1:
		a.fault(a.seq+1, seq-1, faultMissing)
		a.unsure = true
	}
	a.seq = seq
	want := a.head.after(seq, epoch, at, name, data)
	if hash == nil && seq <= a.first {
		if a.head = want; seq == a.first {
			a.older = want
		}
		return
	}
	switch {
	case len(hash) != len(want):
		a.fault(seq, seq, faultHash)
	case !a.unsure && link(hash) != want:
		a.fault(seq, seq, faultChanged)
	}
	if a.head, a.unsure = want, len(hash) != len(want); !a.unsure {
		a.head = link(hash)
	}
}

// fault records one, as a part of the one before where it continues it.
func (a *audit) fault(from, to int64, what string) {
	if n := len(a.wrong) - 1; n >= 0 && a.wrong[n].what == what && a.wrong[n].to == from-1 {
		a.wrong[n].to = to
		return
	}
	a.wrong = append(a.wrong, fault{from, to, what})
}

// end compares the newest event that was read with the number that was recorded.
func (a *audit) end(seq int64) {
	switch {
	case a.seq < seq:
		a.fault(a.seq+1, seq, faultMissing)
	case a.seq > seq:
		a.fault(seq+1, a.seq, faultAdded)
	}
}

// err returns the first thing that does not fit, as a *DamageError.
func (a *audit) err(seq int64) error {
	a.end(seq)
	if len(a.wrong) == 0 {
		return nil
	}
	return &DamageError{a.k.name, a.id, a.wrong[0].String()}
}

// auditRun reads the whole journal of a run, which takes a moment where it is long:
// an owner does so before it asks for the lease, and under the lock of the database
// reads only what came after. A run that does not exist has an empty journal.
func (s *Store) auditRun(ctx context.Context, k kind, id string) (*audit, error) {
	a := k.auditOf(id, 0)
	err := s.read(ctx, fmt.Sprintf("check the journal of %s %q", k.name, id), func(tx *sql.Tx) error {
		e, err := k.entry(ctx, tx, id)
		if errors.Is(err, k.missing) {
			return nil
		}
		if err != nil {
			return err
		}
		var first sql.NullInt64
		err = tx.QueryRowContext(ctx, `SELECT first FROM journals WHERE kind = ? AND run = ?`, k.name, e.num).Scan(&first)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		a.first = first.Int64
		return a.read(ctx, tx, e.num, 0)
	})
	if err == nil {
		s.compareOlder(ctx, a)
	}
	return a, err
}

// finish reads what was recorded since, and returns the damage of the journal.
func (a *audit) finish(ctx context.Context, tx *sql.Tx, num, seq int64, c *chain) error {
	if err := a.read(ctx, tx, num, a.seq); err != nil {
		return err
	}
	c.head, c.known = a.head, true
	return a.err(seq)
}
