package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

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
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx,
			`INSERT INTO blocks (loop, mark, running, at) VALUES (?1, ?2, 1, ?3)
			 ON CONFLICT (loop) DO UPDATE SET running = iif(mark = ?2, running + 1, 1), mark = ?2, at = ?3
			 RETURNING running`, e.num, mark, nano(s.o.Now())).Scan(&running)
	})
	return running, err
}
