package store

import (
	"context"
	"math"
)

// compareOlder records a fault where a journal begins with events from before the chain
// that no copy has which a migration made: else a row that was inserted could declare a
// whole journal older than the hashes. A database that is only read as a migrated copy
// in memory has no such copy yet.
func (s *Store) compareOlder(ctx context.Context, a *audit) {
	if a.first == 0 || s.Older() != 0 {
		return
	}
	for _, path := range s.copyPaths() {
		have := a.k.auditOf(a.id, math.MaxInt64)
		if err := s.readCopy(ctx, path, have); err == nil && len(have.wrong) == 0 && have.seq == a.first && have.head == a.older {
			return
		}
	}
	a.fault(1, a.first, faultUnknown)
}

// readCopy reads the journal of a run in a copy, whatever its schema.
func (s *Store) readCopy(ctx context.Context, path string, a *audit) error {
	db, err := s.connectTo(path, "ro")
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return a.readRows(ctx, tx, a.k.q(`SELECT e.seq, e.epoch, e.at, e.name, e.data, NULL FROM %events e JOIN %runs r ON r.num = e.%key
		WHERE r.id = ? AND e.seq > 0 ORDER BY e.seq, e.rowid`), a.id)
}
