package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"ralph/internal/store/sqlrow"
)

// Tree is a worktree of the pool.
type Tree struct {
	Path string
	Kind string // agent, gate, or "in place"
	// Setup is the digest of the set-up commands.
	Setup string
	// Fresh: git must still make it; see TreeLease.Ready.
	Fresh bool
	// Loop has it; empty: it is free.
	Loop string
	// Since is when its state last changed.
	Since time.Time
}

// The states of a tree. A tree that was being made when its maker died is found
// in that state, and made again.
const (
	treeMaking = "making"
	treeBusy   = "busy"
	treeFree   = "free"
	inPlace    = "in place"
)

// TreeLease is the right to the worktrees of one loop, and to nothing else of it.
type TreeLease struct{ l *LoopLease }

// Trees returns the right to the worktrees of the loop; it ends with the lease.
func (l *LoopLease) Trees() TreeLease { return TreeLease{l} }

// Owned returns nil while the loop is still ours, or a *FencedError.
func (t TreeLease) Owned(ctx context.Context) error { return t.l.Owned(ctx) }

// Slot is that of the lease, see LoopLease.Slot.
func (t TreeLease) Slot(ctx context.Context) (int, error) { return t.l.Slot(ctx) }

// Release ends the right, and the lease that it comes from.
func (t TreeLease) Release(ctx context.Context) error { return t.l.Release(ctx) }

// Take gives the loop a worktree of this kind and set-up: the one it has
// already, else a free one, else the name of a new one below root, which git is
// to make before Ready. Names of kinds never mix.
func (t TreeLease) Take(ctx context.Context, kind, setup, root string) (Tree, error) {
	l, tree := t.l, Tree{Kind: kind, Setup: setup, Loop: t.l.id}
	err := l.withTrees(ctx, "take a worktree", func(tx *sql.Tx) (err error) {
		var state string
		tree.Path, state, err = findTree(ctx, tx, kind, setup, root, l.num)
		if err != nil {
			return err
		}
		if tree.Path == "" {
			tree.Fresh = true
			tree.Path, err = l.newTree(ctx, tx, kind, setup, root)
			return err
		}
		tree.Fresh = state == treeMaking
		if !tree.Fresh {
			state = treeBusy
		}
		return l.setTree(ctx, tx, tree.Path, state)
	})
	return tree, err
}

// findTree prefers the tree the loop has already, then one that is ready, then
// one whose creation was abandoned.
func findTree(ctx context.Context, tx *sql.Tx, kind, setup, root string, num int64) (path, state string, err error) {
	const q = `SELECT path, state FROM trees WHERE kind = ? AND setup = ? AND root = ?
		AND loop IN (?, 0) ORDER BY loop = 0, state = 'making', at DESC LIMIT 1`
	err = tx.QueryRowContext(ctx, q, kind, setup, root, num).Scan(&path, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", nil
	}
	return path, state, err
}

// newTree reserves the first free name <root>/<kind>-<n>.
func (l *LoopLease) newTree(ctx context.Context, tx *sql.Tx, kind, setup, root string) (string, error) {
	for n := 1; ; n++ {
		path := filepath.Join(root, fmt.Sprintf("%s-%d", kind, n))
		r, err := tx.ExecContext(ctx,
			`INSERT INTO trees (path, kind, setup, root, state, loop, at) VALUES (?, ?, ?, ?, ?, ?, ?)
			 ON CONFLICT (path) DO NOTHING`, path, kind, setup, root, treeMaking, l.num, sqlrow.Nano(l.s.o.Now()))
		if err != nil {
			return "", err
		}
		if made, err := r.RowsAffected(); err != nil || made == 1 {
			return path, err
		}
	}
}

// Ready records that git made the tree.
func (t TreeLease) Ready(ctx context.Context, path string) error {
	return t.l.withTrees(ctx, "record worktree "+path, func(tx *sql.Tx) error {
		return t.l.setTree(ctx, tx, path, treeBusy)
	})
}

// Return hands a tree back to the pool, or frees the tree of an in-place
// loop. A tree that is not the loop's is left alone.
func (t TreeLease) Return(ctx context.Context, path string) error {
	return t.l.withTrees(ctx, "return worktree "+path, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx,
			`DELETE FROM trees WHERE loop = ? AND kind = ? AND path = ?`, t.l.num, inPlace, realPath(path)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`UPDATE trees SET state = iif(state = ?, ?, state), loop = 0, at = ? WHERE path = ? AND loop = ?`,
			treeBusy, treeFree, sqlrow.Nano(t.l.s.o.Now()), path, t.l.num)
		return err
	})
}

func (l *LoopLease) setTree(ctx context.Context, tx *sql.Tx, path, state string) error {
	r, err := tx.ExecContext(ctx,
		`UPDATE trees SET state = ?, loop = ?, at = ? WHERE path = ? AND loop IN (?, 0)`,
		state, l.num, sqlrow.Nano(l.s.o.Now()), path, l.num)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return fmt.Errorf("worktree %s is not loop %s's", path, l.id)
}

// Gone records that a tree of the loop must be made again.
func (t TreeLease) Gone(ctx context.Context, path string) error {
	return t.l.withTrees(ctx, "record the loss of worktree "+path, func(tx *sql.Tx) error {
		return t.l.setTree(ctx, tx, path, treeMaking)
	})
}

// Held lists the pool's trees that the loop has.
func (t TreeLease) Held(ctx context.Context) ([]Tree, error) {
	var out []Tree
	err := t.l.s.read(ctx, "list the worktrees of loop "+t.l.id, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT path, kind, setup, state FROM trees WHERE loop = ? AND kind <> ? ORDER BY path`, t.l.num, inPlace)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			tree, state := Tree{Loop: t.l.id}, ""
			if err := rows.Scan(&tree.Path, &tree.Kind, &tree.Setup, &state); err != nil {
				return err
			}
			tree.Fresh = state == treeMaking
			out = append(out, tree)
		}
		return rows.Err()
	})
	return out, err
}

func (l *LoopLease) withTrees(ctx context.Context, what string, f func(*sql.Tx) error) error {
	return l.write(ctx, what, func(tx *sql.Tx) error {
		if err := l.compareEpoch(ctx, tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// Trees lists the pool and the trees of in-place loops.
func (s *Store) Trees(ctx context.Context) ([]Tree, error) {
	var out []Tree
	err := s.read(ctx, "list worktrees", func(tx *sql.Tx) error {
		const q = `SELECT t.path, t.kind, t.setup, t.state, t.at, coalesce(l.id, '')
			FROM trees t LEFT JOIN loops l ON l.num = t.loop ORDER BY t.path`
		rows, err := tx.QueryContext(ctx, q)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var t Tree
			var state string
			var at int64
			if err := rows.Scan(&t.Path, &t.Kind, &t.Setup, &state, &at, &t.Loop); err != nil {
				return err
			}
			t.Fresh, t.Since = state == treeMaking, sqlrow.Time(at)
			out = append(out, t)
		}
		return rows.Err()
	})
	return out, err
}

// FreeTrees hands back the pool's trees of a loop that has ended, with what is in them.
func (s *Store) FreeTrees(ctx context.Context, id string) error {
	return s.write(ctx, fmt.Sprintf("free the worktrees of loop %q", id), func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err == nil && !e.Status.Terminal() {
			err = ErrNotEnded
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE trees SET state = iif(state = ?, ?, state), loop = 0, at = ? WHERE loop = ? AND kind <> ?`,
			treeBusy, treeFree, sqlrow.Nano(s.o.Now()), e.num, inPlace)
		return err
	})
}

// DropTree forgets a tree that no loop has, so that no loop takes it any more
// and it can be deleted. It reports whether there was one.
func (s *Store) DropTree(ctx context.Context, path string) (free bool, err error) {
	err = s.write(ctx, "forget worktree "+path, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `DELETE FROM trees WHERE path = ? AND loop = 0`, path)
		if err != nil {
			return err
		}
		n, err := r.RowsAffected()
		free = n == 1
		return err
	})
	return free, err
}

// Lock makes the loop the only one that writes the user's tree at path, until
// it ends or returns it. It fails with a *HeldError while another loop with a
// living owner has the tree (an agent-driven loop: until its time is over). A
// paused loop has to lock its tree again.
func (t TreeLease) Lock(ctx context.Context, path string) error {
	path = realPath(path)
	return t.l.withTrees(ctx, "lock the tree "+path, func(tx *sql.Tx) error {
		if err := t.l.s.freeToLock(ctx, tx, t.l, path); err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx,
			`INSERT INTO trees (path, kind, setup, root, state, loop, at) VALUES (?, ?, '', '', ?, ?, ?)
			 ON CONFLICT (path) DO UPDATE SET loop = excluded.loop, at = excluded.at WHERE kind = excluded.kind`,
			path, inPlace, treeBusy, t.l.num, sqlrow.Nano(t.l.s.o.Now()))
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return fmt.Errorf("%s is a worktree of the pool", path)
	})
}

func (s *Store) freeToLock(ctx context.Context, tx *sql.Tx, l *LoopLease, path string) error {
	e, err := loopRuns.entryWhere(ctx, tx, `num = (SELECT loop FROM trees WHERE path = ? AND loop NOT IN (0, ?))`, path, l.num)
	if errors.Is(err, ErrNoLoop) {
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
