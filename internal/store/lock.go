package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ralph/internal/store/sqlrow"
)

// errLocked is returned when another process holds the lock.
var errLocked = errors.New("locked by another process")

// waitLock takes a short lock and retries until wait is over. It never blocks
// in the kernel: a stopped holder must not block all others forever.
func waitLock(ctx context.Context, path string, wait time.Duration) (*os.File, error) {
	deadline := time.Now().Add(wait)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		f, err := lockAt(path, 0)
		if !errors.Is(err, errLocked) {
			return f, err
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("wait for %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// Queue waits for its turn to check a loop that its agent drives: one check at
// a time, in no promised order. It returns false when the wait is over and
// another check still runs or is stopped.
func (s *Store) Queue(ctx context.Context, id string, wait time.Duration) (done func(), turn bool, err error) {
	lock, err := waitLock(ctx, filepath.Join(s.loopDir(id), "check.lock"), wait)
	if errors.Is(err, errLocked) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("wait for the turn to check loop %s: %w", id, err)
	}
	return func() { unlock(lock) }, true, nil
}

// Checking reports whether a check of the loop is in progress.
func (s *Store) Checking(id string) bool {
	held, err := lockedFrom(filepath.Join(s.loopDir(id), "check.lock"), 0)
	return held && err == nil
}

// Block counts how often running a stop hook has kept the session of a loop
// working while mark, which tells the tree and the results apart, stayed the
// same. The first time is 1.
func (s *Store) Block(ctx context.Context, id, mark string) (running int, err error) {
	err = s.write(ctx, "count the blocks of loop "+id, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx,
			`INSERT INTO blocks (loop, mark, running, at) VALUES (?1, ?2, 1, ?3)
			 ON CONFLICT (loop) DO UPDATE SET running = iif(mark = ?2, running + 1, 1), mark = ?2, at = ?3
			 RETURNING running`, e.num, mark, sqlrow.Nano(s.o.Now())).Scan(&running)
	})
	return running, err
}

// AtPrompt records that a terminal shows the question of a loop or a plan, until
// the returned function is called or the process is gone. It decides nothing,
// and a second call changes nothing: other commands use it to tell the user
// which process continues with an answer.
func (s *Store) AtPrompt(id string) func() {
	f, err := lockAt(s.promptLock(id), 0)
	if err != nil {
		return func() {}
	}
	return func() { unlock(f) }
}

// Prompted reports whether a terminal shows the question.
func (s *Store) Prompted(id string) bool {
	held, err := lockedFrom(s.promptLock(id), 0)
	return err == nil && held
}

// promptLock lies with the files of the loop, or of the plan.
func (s *Store) promptLock(id string) string {
	dir := s.runDir(planRuns, id)
	if _, err := os.Stat(dir); err != nil {
		dir = s.loopDir(id)
	}
	return filepath.Join(dir, "prompt.lock")
}
