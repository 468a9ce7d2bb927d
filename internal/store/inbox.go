package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"

	"ralph/internal/cadence"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// Message is a request of a user or another program to the owner of a run.
type Message = journal.Message

// Send leaves a message and wakes the owner, if there is one. A message stays
// until a commit of the current or a later owner takes it.
func (s *Store) Send(ctx context.Context, id string, m Message) error {
	return s.send(ctx, loopRuns, id, m, func(*sql.Tx, Entry) error { return nil })
}

// Send is Store.Send to a plan.
func (p Plans) Send(ctx context.Context, id string, m Message) error {
	return p.s.send(ctx, planRuns, id, m, func(*sql.Tx, Entry) error { return nil })
}

// SendAnswer is Send of an answer, unless taken refuses it for the loop as it
// stands at that moment, or another one waits to be taken (ErrAnswered).
func (s *Store) SendAnswer(ctx context.Context, id string, m Message, taken func(loop.State) error) error {
	return s.send(ctx, loopRuns, id, m, func(tx *sql.Tx, e Entry) error {
		st, _, err := stateOf(ctx, tx, e)
		if err != nil {
			return err
		}
		if err := taken(st); err != nil {
			return err
		}
		return noAnswerWaits(ctx, tx, e.num)
	})
}

func (s *Store) send(ctx context.Context, k kind, id string, m Message, may func(*sql.Tx, Entry) error) error {
	err := s.write(ctx, fmt.Sprintf("send %s to %s %q", m.Kind, k.name, id), func(tx *sql.Tx) error {
		e, err := k.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := may(tx, e); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, k.q(`INSERT INTO %inbox (%key, at, kind, text, by) VALUES (?, ?, ?, ?, ?)`),
			e.num, sqlrow.Nano(s.o.Now()), m.Kind, m.Text, m.By)
		return err
	})
	if err == nil {
		s.wakeOwner(k, id)
	}
	return err
}

// noAnswerWaits fails with ErrAnswered while an answer waits in the inbox.
func noAnswerWaits(ctx context.Context, tx *sql.Tx, num int64) error {
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
		if err := l.compareEpoch(ctx, tx); err != nil {
			return err
		}
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var m Message
			var at int64
			err := rows.Scan(&m.ID, &at, &m.Kind, &m.Text, &m.By)
			m.At = sqlrow.Time(at)
			out = append(out, m)
			return err
		}, l.kind.q(`SELECT num, at, kind, text, by FROM %inbox WHERE %key = ? AND taken = 0 ORDER BY num`), l.num)
	})
	return out, err
}

// Unread reports whether a message waits for an owner of a loop that has not
// ended. An owner asks after its release: the sender saw that the loop was held.
func (s *Store) Unread(ctx context.Context, id string) (bool, error) {
	return s.unread(ctx, loopRuns, id)
}

// Unread is Store.Unread of a plan.
func (p Plans) Unread(ctx context.Context, id string) (bool, error) {
	return p.s.unread(ctx, planRuns, id)
}

func (s *Store) unread(ctx context.Context, k kind, id string) (waits bool, err error) {
	err = s.read(ctx, fmt.Sprintf("look for messages to %s %q", k.name, id), func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, k.q(`SELECT EXISTS (SELECT 1 FROM %inbox i JOIN %runs r ON r.num = i.%key
			WHERE r.id = ? AND i.taken = 0 AND r.ended = 0)`), id).Scan(&waits)
	})
	return waits, err
}

// wakeFile is touched when its run's owner should look at the database.
const wakeFile = "wake"

// wakeOwner wakes the owner of a run. An owner that it does not reach finds out when it
// next looks by itself.
func (s *Store) wakeOwner(k kind, id string) {
	path := filepath.Join(s.runDir(k, id), wakeFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteAt([]byte("!"), 0)
}

// Wake signals that there may be a message, or that the run was taken over. It
// may signal for nothing, and one signal may stand for many. It is the same
// channel each time.
func (l *lease[S, E]) Wake() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watch == nil {
		l.watch = &watch{wake: make(chan struct{}, 1)}
		if !l.released {
			l.watch.start(watched{l.s, l.ctx, l.kind, l.Dir(), l.num, l.epoch})
		}
	}
	return l.watch.wake
}

// watched is the lease that a watch supervises.
type watched struct {
	s          *Store
	ctx        context.Context
	kind       kind
	dir        string
	num, epoch int64
}

// watch waits on the run's directory, and looks at the database now and then:
// a sender may die between its commit and the wake.
type watch struct {
	wake chan struct{}
	ends sync.WaitGroup
}

func (w *watch) start(l watched) {
	notify, err := fsnotify.NewWatcher()
	if err == nil {
		if err = notify.Add(l.dir); err != nil {
			_ = notify.Close()
		}
	}
	var events chan fsnotify.Event
	var failed chan error
	if err == nil {
		events, failed = notify.Events, notify.Errors
	}
	w.ends.Go(func() {
		if events != nil {
			defer notify.Close()
		}
		w.run(l, events, failed)
	})
}

func (w *watch) run(l watched, events <-chan fsnotify.Event, failed <-chan error) {
	slow := cadence.New(l.s.poll)
	defer slow.Stop()
	last := l.s.lastWrite()
	w.look(l) // what came before the watch
	for quiet := 1; ; {
		select {
		case <-l.ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
			}
			if filepath.Base(e.Name) == wakeFile {
				w.signal()
			}
		case _, ok := <-failed: // an overflow may have swallowed the touch
			if !ok {
				failed = nil
				continue
			}
			w.signal()
		case <-slow.C:
			slow.Next()
			// An idle loop asks the file system instead of the database; once a
			// minute it asks all the same, as file times are coarse.
			quiet++
			if now := l.s.lastWrite(); now != last || quiet == 12 {
				last, quiet = now, 0
				w.look(l)
			}
		}
	}
}

// lastWrite changes with each commit.
func (s *Store) lastWrite() string {
	fi, err := os.Stat(s.dbPath() + "-wal")
	if err != nil {
		return ""
	}
	return fmt.Sprint(fi.Size(), fi.ModTime().UnixNano())
}

// look signals when a message waits or the epoch is no longer ours.
func (w *watch) look(l watched) {
	ctx, cancel := context.WithTimeout(l.ctx, l.s.o.Wait)
	defer cancel()
	found := false
	err := l.s.read(ctx, "look for messages", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, l.kind.q(`SELECT EXISTS (SELECT 1 FROM %inbox WHERE %key = ?1 AND taken = 0)
			OR NOT EXISTS (SELECT 1 FROM %runs WHERE num = ?1 AND epoch = ?2)`), l.num, l.epoch).Scan(&found)
	})
	if err == nil && found {
		w.signal()
	}
}

func (w *watch) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
