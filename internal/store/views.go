package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// viewWait is how long a writer of views waits for another one. A writer that
// gives up leaves its part to the next.
const viewWait = 2 * time.Second

// rebuildWait is the same for a writer of all views, which no later one makes up for.
const rebuildWait = 30 * time.Second

// ViewError waits for the views of the commits up to now, and is why they were not
// written; nil when they were.
func (s *Store) ViewError() error {
	s.finishViews()
	if err := s.viewErr.Load(); err != nil {
		return *err
	}
	return nil
}

// RebuildViews writes all views again, the whole log included.
func (s *Store) RebuildViews(ctx context.Context) error {
	switch {
	case s.o.Views == "":
		return nil
	case s.o.ReadOnly:
		return fmt.Errorf("rebuild views: %w", ErrReadOnly)
	}
	return s.writeViews(ctx, &wanted{all: true})
}

// DifferingViews returns the views that still differ from the database after a moment.
// Beside other writers views differ all the time, since they are written after the
// commit: while events are added, that is no problem.
func (s *Store) DifferingViews(ctx context.Context) ([]Problem, error) {
	return s.differingViews(ctx, func() {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	})
}

func (s *Store) differingViews(ctx context.Context, pause func()) (differ []Problem, err error) {
	const looks = 20
	var first, newest int64
	for n := range looks {
		err := s.read(ctx, "check the views", func(tx *sql.Tx) (err error) {
			if newest, err = newestPos(ctx, tx); err == nil {
				differ, err = s.checkViews(ctx, tx)
			}
			return err
		})
		if err != nil || len(differ) == 0 {
			return nil, err
		}
		if n == 0 {
			first = newest
		}
		pause()
	}
	if newest != first {
		differ = nil
	}
	return differ, nil
}

// show brings the views up to date after a commit. It runs to its end even if
// the caller's context is over, and its errors are only kept.
func (s *Store) show(ctx context.Context, ids ...string) {
	if s.o.Views == "" || s.o.ReadOnly {
		return
	}
	err := s.writeViews(context.WithoutCancel(ctx), &wanted{ids: ids})
	if err == nil {
		s.viewErr.Store(nil)
		return
	}
	s.viewErr.Store(&err)
}

// wanted selects the loops whose views to write besides those that changed.
type wanted struct {
	ids []string
	all bool
}

// writeViews reads afresh under the lock, so that the last writer is never the
// one with old news. The log is written last; see the package's documentation.
func (s *Store) writeViews(ctx context.Context, w *wanted) error {
	wait := viewWait
	if w.all {
		wait = rebuildWait
	}
	lock, err := waitLock(ctx, filepath.Join(s.dir, "views.lock"), wait)
	if err != nil {
		return fmt.Errorf("write views: %w", err)
	}
	defer unlock(lock)
	root, err := s.viewRoot()
	if err != nil {
		return fmt.Errorf("write views: %w", err)
	}
	defer root.Close()
	log, unsafe, err := s.openBus(root, w.all)
	if err != nil {
		return fmt.Errorf("write views: %w", err)
	}
	defer log.discard()
	err = s.read(ctx, "write views", func(tx *sql.Tx) error {
		if pos, _ := log.mark(); pos > 0 {
			if newest, err := newestPos(ctx, tx); err != nil || newest < pos {
				log.forget() // of a database that is no more
			}
		}
		pos, fresh := log.mark()
		if err := s.writeChanged(ctx, tx, root, pos, w); err != nil {
			return err
		}
		var some *wanted
		if fresh && !w.all {
			some = w
		}
		if err := writeBus(ctx, tx, log, pos, some); err != nil {
			return err
		}
		return log.commit()
	})
	return errors.Join(err, unsafe)
}

// eventLog is where the event bus is written. It is appended last, and carries
// the watermark of all views.
type eventLog interface {
	io.Writer
	// mark is the position of the last event in it; fresh: there is none.
	mark() (pos int64, fresh bool)
	forget()
	commit() error
	discard()
}

// openBus opens the log among the views, or the one that Options.Bus names. A
// log that cannot be written is reported, and the log among the views takes its
// place: so no view is missing because of it.
func (s *Store) openBus(root *os.Root, anew bool) (log eventLog, unsafe, err error) {
	if s.o.Bus == "" {
		log, err = openLog(root, anew, s.logMost)
		return log, nil, err
	}
	shared, unsafe := s.openSharedBus()
	if unsafe == nil {
		// An older log among the views would only look like news.
		if err := root.Remove(logName); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		return shared, nil, nil
	}
	log, err = openLog(root, anew, s.logMost)
	return log, fmt.Errorf("event bus %s: %w", s.o.Bus, unsafe), err
}

// openSharedBus opens the log of Options.Bus, below the tree that holds the
// views.
func (s *Store) openSharedBus() (*sharedLog, error) {
	tree, err := os.OpenRoot(filepath.Dir(s.o.Views))
	if err != nil {
		return nil, err
	}
	l, err := openShared(tree, s.o.Bus)
	if err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return l, nil
}

// newestPos is the position of the event that was recorded last, even if its
// loop was removed.
func newestPos(ctx context.Context, tx *sql.Tx) (pos int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM sqlite_sequence WHERE name = 'events'`).Scan(&pos)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return pos, err
}

// viewRoot opens the folder, made if it is missing. Writing through os.Root,
// nothing that is put there can lead a write elsewhere.
func (s *Store) viewRoot() (*os.Root, error) {
	if err := os.Mkdir(s.o.Views, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	fi, err := os.Lstat(s.o.Views)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() {
		return nil, &UnsafeError{s.o.Views, "is not a directory of its own"}
	}
	root, err := os.OpenRoot(s.o.Views)
	if err != nil {
		return nil, err
	}
	// A power cut may leave an empty file, which ignores nothing.
	if fi, err := root.Lstat(".gitignore"); errors.Is(err, fs.ErrNotExist) || err == nil && fi.Mode().IsRegular() && fi.Size() == 0 {
		err = replace(root, ".gitignore", []byte("*\n"))
		if err != nil {
			_ = root.Close()
			return nil, err
		}
	}
	return root, nil
}

// replace writes a view so that a reader sees the old or the new one. It does not
// wait for the disk: views can be written again. An unchanged view stays, since
// renaming over a file makes the next sync of the database wait for it.
func replace(root *os.Root, name string, data []byte) error {
	if old, err := root.ReadFile(name); err == nil && bytes.Equal(old, data) {
		return nil
	}
	tmp := name + ".tmp"
	if err := root.RemoveAll(tmp); err != nil {
		return err
	}
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return root.Rename(tmp, name)
}
