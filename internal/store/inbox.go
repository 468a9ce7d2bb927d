package store

import (
	"context"
	"database/sql"
	"fmt"

	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Message is a request of a user or another program to the owner of a run.
type Message = journal.Message

// Send leaves a message and wakes the owner, if there is one. A message stays
// until a commit of the current or a later owner takes it.
func (s *Store) Send(ctx context.Context, id string, m Message) error {
	return s.send(ctx, loopRuns, id, m, func(*sql.Tx, int64) error { return nil })
}

// SendPlan is Send to a plan.
func (s *Store) SendPlan(ctx context.Context, id string, m Message) error {
	return s.send(ctx, planRuns, id, m, func(*sql.Tx, int64) error { return nil })
}

// SendAnswer is Send of an answer, unless taken refuses it for the loop as it
// stands at that moment, or another one waits to be taken (ErrAnswered).
func (s *Store) SendAnswer(ctx context.Context, id string, m Message, taken func(loop.State) error) error {
	return s.send(ctx, loopRuns, id, m, func(tx *sql.Tx, num int64) error {
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

func (s *Store) send(ctx context.Context, k kind, id string, m Message, may func(tx *sql.Tx, num int64) error) error {
	err := s.write(ctx, fmt.Sprintf("send %s to %s %q", m.Kind, k.name, id), func(tx *sql.Tx) error {
		num, err := k.numOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := may(tx, num); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, k.q(`INSERT INTO %inbox (%key, at, kind, text, by) VALUES (?, ?, ?, ?, ?)`),
			num, nano(s.o.Now()), m.Kind, m.Text, m.By)
		return err
	})
	if err == nil {
		s.poke(k, id)
	}
	return err
}

// nobodyAnswers fails with ErrAnswered while an answer waits in the inbox.
func nobodyAnswers(ctx context.Context, tx *sql.Tx, num int64) error {
	var sent bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM inbox WHERE loop = ? AND taken = 0 AND kind GLOB 'answer*')`, num).Scan(&sent)
	if err == nil && sent {
		err = ErrAnswered
	}
	return err
}

// Inbox lists the messages that no commit took yet, oldest first. An owner that
// was taken over gets a *FencedError: looking here is how it finds out.
func (l *lease[S, E]) Inbox(ctx context.Context) (out []Message, err error) {
	err = l.s.read(ctx, fmt.Sprintf("read the inbox of %s %s", l.kind.name, l.id), func(tx *sql.Tx) error {
		if err := l.owned(ctx, tx); err != nil {
			return err
		}
		return each(ctx, tx, func(rows *sql.Rows) error {
			var m Message
			var at int64
			err := rows.Scan(&m.ID, &at, &m.Kind, &m.Text, &m.By)
			m.At = fromNano(at)
			out = append(out, m)
			return err
		}, l.kind.q(`SELECT num, at, kind, text, by FROM %inbox WHERE %key = ? AND taken = 0 ORDER BY num`), l.num)
	})
	return out, err
}

// Unheard reports whether a message waits for an owner of a loop that has not
// ended. An owner asks after its release: the sender saw that the loop was held.
func (s *Store) Unheard(ctx context.Context, id string) (bool, error) {
	return s.unheard(ctx, loopRuns, id, `AND r.ended = 0`)
}

// PlanUnheard is Unheard of a plan, ended or not.
func (s *Store) PlanUnheard(ctx context.Context, id string) (bool, error) {
	return s.unheard(ctx, planRuns, id, ``)
}

func (s *Store) unheard(ctx context.Context, k kind, id, and string) (waits bool, err error) {
	err = s.read(ctx, fmt.Sprintf("look for messages to %s %q", k.name, id), func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, k.q(`SELECT EXISTS (SELECT 1 FROM %inbox i JOIN %runs r ON r.num = i.%key
			WHERE r.id = ? AND i.taken = 0 `+and+`)`), id).Scan(&waits)
	})
	return waits, err
}
