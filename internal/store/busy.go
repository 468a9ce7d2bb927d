package store

import (
	"context"
	"fmt"
)

// holder returns the process that blocks writers: the holder of the lock, where
// the system reports it, else the owner that wrote last.
func (s *Store) holder(ctx context.Context) string {
	if pid, name := writerOf(s.dbPath() + "-shm"); pid > 0 {
		return fmt.Sprintf("pid %d (%s)", pid, name)
	}
	db := s.db.Load()
	if db == nil {
		return ""
	}
	var owner string
	const last = `SELECT owner FROM loops WHERE ended = 0 ORDER BY updated DESC LIMIT 1`
	if err := db.QueryRowContext(ctx, last).Scan(&owner); err != nil {
		return ""
	}
	return fmt.Sprintf("the last writer was %s", decodeOwner(owner))
}
