package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"ralph/internal/loop"
)

// Message is what a person or another program has to say to a loop's owner.
type Message struct {
	ID   int64
	At   time.Time
	Kind string
	Text string
	By   string
}

// Send leaves a message and wakes the owner, if there is one. A message stays
// until a commit takes it, whoever owns the loop then.
func (s *Store) Send(ctx context.Context, id string, m Message) error {
	return s.send(ctx, id, m, func(*sql.Tx, int64) error { return nil })
}

// SendAnswer is Send of an answer, unless taken says that it is none to the loop as
// it stands at that moment, or another one waits to be taken (ErrAnswered).
func (s *Store) SendAnswer(ctx context.Context, id string, m Message, taken func(loop.State) error) error {
	return s.send(ctx, id, m, func(tx *sql.Tx, num int64) error {
		st, err := stateOf(ctx, tx, num)
		if err != nil {
			return err
		}
		if err := taken(st); err != nil {
			return err
		}
		return nobodyAnswers(ctx, tx, num)
	})
}

func (s *Store) send(ctx context.Context, id string, m Message, may func(tx *sql.Tx, num int64) error) error {
	err := s.write(ctx, fmt.Sprintf("send %s to loop %q", m.Kind, id), func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := may(tx, e.num); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO inbox (loop, at, kind, text, by) VALUES (?, ?, ?, ?, ?)`,
			e.num, nano(s.o.Now()), m.Kind, m.Text, m.By)
		return err
	})
	if err == nil {
		s.poke(id)
	}
	return err
}

// nobodyAnswers fails with ErrAnswered where an answer was sent that nobody took yet.
func nobodyAnswers(ctx context.Context, tx *sql.Tx, num int64) error {
	var sent bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM inbox WHERE loop = ? AND taken = 0 AND kind GLOB 'answer*')`, num).Scan(&sent)
	if err == nil && sent {
		err = ErrAnswered
	}
	return err
}

// Inbox lists the messages nobody took yet, oldest first. An owner that was
// taken over gets a *FencedError: looking here is how it finds out.
func (l *Lease) Inbox(ctx context.Context) ([]Message, error) {
	var out []Message
	err := l.s.read(ctx, "read the inbox of loop "+l.id, func(tx *sql.Tx) (err error) {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		out, err = messages(ctx, tx, `SELECT num, at, kind, text, by FROM inbox WHERE loop = ? AND taken = 0 ORDER BY num`, l.num)
		return err
	})
	return out, err
}

// Unheard says whether a message waits for an owner of a loop that has not ended.
// Who lets go of a loop asks: the sender saw that it was held, and left.
func (s *Store) Unheard(ctx context.Context, id string) (waits bool, err error) {
	err = s.read(ctx, fmt.Sprintf("look for messages to loop %q", id), func(tx *sql.Tx) error {
		const q = `SELECT EXISTS (SELECT 1 FROM inbox i JOIN loops l ON l.num = i.loop WHERE l.id = ? AND l.ended = 0 AND i.taken = 0)`
		return tx.QueryRowContext(ctx, q, id).Scan(&waits)
	})
	return waits, err
}
