package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// Each event of a journal carries a hash over its content and the hash of the event
// before it, and each run a seal over its newest event and its state. So rows that
// were removed, doubled, exchanged or changed are found, and a state that was edited
// is not believed. This is no signature: a program that knows the format can write
// all of it anew.

// link is a SHA-256 hash in the chain of a journal.
type link [sha256.Size]byte

// genesis is the link before the first event of a run.
func (k kind) genesis(id string) link {
	return sha256.Sum256(fmt.Appendf(nil, "ralph.journal/v1\n%s %s\n", k.name, id))
}

// after returns the link of the event that follows: the hash of the previous link, the
// numbers of the event, and its name and data with the length of the name before them.
func (prev link) after(seq, epoch, at int64, name, data []byte) (next link) {
	h := sha256.New()
	var numbers [4 * 8]byte
	for i, n := range []int64{seq, epoch, at, int64(len(name))} {
		binary.BigEndian.PutUint64(numbers[8*i:], uint64(n)) //nolint:gosec // all bits count
	}
	for _, part := range [][]byte{prev[:], numbers[:], name, data} {
		h.Write(part)
	}
	h.Sum(next[:0])
	return next
}

// seal binds a state, in parts, to the link of the newest event of its journal.
func (prev link) seal(parts ...link) []byte {
	h := sha256.New()
	h.Write([]byte("ralph.seal/v1\n"))
	h.Write(prev[:])
	for _, p := range parts {
		h.Write(p[:])
	}
	return h.Sum(nil)
}

// digest is a part of a sealed state.
func digest(data []byte) link { return sha256.Sum256(data) }

// DamageError: the record of one run is damaged. It was left as it is, and all other
// runs can be used.
type DamageError struct {
	Kind recovery.Kind
	ID   string
	What string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("the record of %s %s is damaged: %s", e.Kind, e.ID, e.What)
}

// damageOf returns what is damaged where err is a *DamageError, which names one run
// and concerns no other one.
func damageOf(err error) (what string, damaged bool) {
	e, damaged := errors.AsType[*DamageError](err)
	if damaged {
		what = e.What
	}
	return what, damaged
}

// chain is where a journal stands.
type chain struct {
	// head is the link of the newest event. Without known it is that of an event
	// from before the chain, and has to be computed from all events.
	head  link
	known bool
	// first is the newest event from before the chain; based: the state from which
	// later events begin is recorded.
	first int64
	based bool
	// seal is nil where nothing was committed since the chain began.
	seal []byte
}

// chainColumns are scanned into a chainRow. They need a row of %runs named r.
const chainColumns = `j.first, j.base IS NOT NULL, j.seal, (SELECT count(seq) FROM %events WHERE %key = r.num),
	(SELECT hash FROM %events WHERE %key = r.num AND seq = r.seq ORDER BY rowid DESC LIMIT 1)`

const chainJoin = ` LEFT JOIN journals j ON j.kind = '%kind' AND j.run = r.num`

type chainRow struct {
	first      sql.NullInt64
	based      bool
	seal, hash []byte
	// events is the number of rows with events.
	events int64
}

func (r *chainRow) to() []any { return []any{&r.first, &r.based, &r.seal, &r.events, &r.hash} }

// chain is that of a run with seq events, or the damage that the row shows.
func (r *chainRow) chain(k kind, id string, seq int64) (c chain, what string) {
	c = chain{first: r.first.Int64, based: r.based, seal: r.seal}
	switch {
	case !r.first.Valid:
		return c, "its journal is not registered"
	case len(r.hash) == len(c.head):
		c.head, c.known = link(r.hash), true
	case seq == 0:
		c.head, c.known = k.genesis(id), true
	case r.hash != nil || seq > c.first:
		return c, fmt.Sprintf("event %d, its newest, is missing or has no hash", seq)
	}
	switch {
	case c.seal == nil && seq > c.first:
		return c, "its seal is missing"
	case r.events < seq:
		return c, fmt.Sprintf("only %d of its %d events are left", r.events, seq)
	case r.events > seq:
		return c, fmt.Sprintf("it has %d events, and %d were recorded", r.events, seq)
	}
	return c, ""
}

// sealed compares the state with the seal. One from before the chain has none.
func (c *chain) sealed(ctx context.Context, tx *sql.Tx, k kind, num, seq int64, id string, parts ...link) error {
	if c.seal == nil {
		return nil
	}
	if err := c.compute(ctx, tx, k, num, seq, id); err != nil {
		return err
	}
	if !bytes.Equal(c.seal, c.head.seal(parts...)) {
		return &DamageError{k.name, id, fmt.Sprintf("its state is not the one that was recorded with event %d", seq)}
	}
	return nil
}

// compute finds the head where no event carries it.
func (c *chain) compute(ctx context.Context, tx *sql.Tx, k kind, num, seq int64, id string) error {
	if c.known {
		return nil
	}
	a := k.auditOf(id, c.first)
	if err := a.read(ctx, tx, num, 0); err != nil {
		return err
	}
	c.head, c.known = a.head, true
	return a.err(seq)
}

// register begins the journal of a new run, of which base is the state.
func (k kind) register(ctx context.Context, tx *sql.Tx, num, seq int64, base []byte, seal []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO journals (kind, run, first, based, base, seal) VALUES (?, ?, 0, ?, ?, ?)`, k.name, num, seq, base, seal)
	return err
}

// rebase records the state that the events from now on change, in an older journal.
func (k kind) rebase(ctx context.Context, tx *sql.Tx, num, seq int64, base []byte) error {
	_, err := tx.ExecContext(ctx, `UPDATE journals SET base = ?, based = ? WHERE kind = ? AND run = ? AND base IS NULL`, base, seq, k.name, num)
	return err
}

func (k kind) putSeal(ctx context.Context, tx *sql.Tx, num int64, seal []byte) error {
	_, err := tx.ExecContext(ctx, `UPDATE journals SET seal = ? WHERE kind = ? AND run = ?`, seal, k.name, num)
	return err
}

// follow gives the rows of events their hashes, and returns the last one.
func (prev link) follow(epoch int64, rows []row) link {
	for i, r := range rows {
		if r.seq == 0 {
			continue
		}
		prev = prev.after(r.seq, epoch, sqlrow.Nano(r.at), []byte(r.name), r.data)
		rows[i].hash = bytes.Clone(prev[:])
	}
	return prev
}
