package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
)

// LockTree makes the loop the only one that writes the user's tree at path, until
// it ends or returns it. It fails with a *HeldError while another loop with a
// living owner has the tree (an agent-driven loop: until its time is over). A
// paused loop has to lock its tree again.
func (s *Store) LockTree(ctx context.Context, l *Lease, path string) error {
	path = realPath(path)
	return l.withTrees(ctx, "lock the tree "+path, func(tx *sql.Tx) error {
		if err := s.freeToLock(ctx, tx, l, path); err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx,
			`INSERT INTO trees (path, kind, setup, root, state, loop, at) VALUES (?, ?, '', '', ?, ?, ?)
			 ON CONFLICT (path) DO UPDATE SET loop = excluded.loop, at = excluded.at WHERE kind = excluded.kind`,
			path, inPlace, treeBusy, l.num, nano(s.o.Now()))
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return fmt.Errorf("%s is a worktree of the pool", path)
	})
}

func (s *Store) freeToLock(ctx context.Context, tx *sql.Tx, l *Lease, path string) error {
	q := tx.QueryRowContext(ctx, `SELECT `+entryColumns+` FROM loops WHERE num =
		(SELECT loop FROM trees WHERE path = ? AND loop NOT IN (0, ?))`, path, l.num)
	e, err := scanEntry(q.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	e.Live = s.lives(e)
	if e.holdsSlot(s.o.Now()) {
		return &HeldError{What: path, By: e.ID, Owner: e.Owner}
	}
	return nil
}

// realPath is the path without symbolic links, so that one tree has one name.
func realPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return filepath.Clean(path)
}
