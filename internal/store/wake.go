package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// wakeFile is touched when its run's owner should look at the database.
const wakeFile = "wake"

// poke wakes the owner of a run. An owner that it does not reach finds out when it
// next looks by itself.
func (s *Store) poke(k kind, id string) {
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

// watched is the lease that a watch looks after.
type watched struct {
	s          *Store
	ctx        context.Context
	kind       kind
	dir        string
	num, epoch int64
}

// watch waits on the run's directory, and looks at the database now and then:
// a sender may die between its commit and its poke.
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
	slow := time.NewTicker(l.s.poll)
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
