package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/git"
	"ralph/internal/loop"
)

// prepare makes the branch and the two trees of a loop, fresh or from the pool.
func (w *Worker) prepare(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	base, err := w.base(ctx, s)
	if err != nil {
		return nil, err
	}
	done := loop.Prepared{Base: base, Worktree: s.Root}
	if err := w.branch(ctx, s.Branch, base); err != nil {
		return nil, err
	}
	if s.InPlace {
		err = w.Trees.Lock(ctx, s.Root)
	} else {
		done.Worktree, err = w.tree(ctx, s, a, h, agentTree, base)
	}
	if err != nil {
		return nil, err
	}
	if done.GateTree, err = w.tree(ctx, s, a, h, gateTree, base); err != nil {
		return nil, err
	}
	if has, err := w.Repo.HasSubmodules(ctx, base); err != nil {
		return nil, err
	} else if has && len(s.Setup) == 0 {
		done.Notes = append(done.Notes, "the repository has submodules; they are not initialised unless `isolation.setup` does it")
	}
	return done, nil
}

// base is the commit to start from: the one that was asked for, or with the
// user's uncommitted changes a first commit on top of it.
func (w *Worker) base(ctx context.Context, s loop.State) (string, error) {
	if !s.WithChanges {
		return s.Base, nil
	}
	if tip, err := w.Repo.ResolveCommit(ctx, "refs/heads/"+s.Branch); err == nil && tip != s.Base {
		return tip, nil // made before a crash
	}
	message := git.Message{Text: "Uncommitted changes that the loop starts from", Trailers: trailers(s, 0), Time: s.StartedAt}
	commit, err := w.Repo.Snapshot(ctx, s.Root, s.Base, message)
	if err != nil {
		return "", fmt.Errorf("commit the uncommitted changes: %w", err)
	}
	return commit, nil
}

// branch makes the loop's branch, which may exist from before a crash.
func (w *Worker) branch(ctx context.Context, name, base string) error {
	err := w.Repo.CreateBranch(ctx, name, base)
	var moved git.ErrRefMoved
	if errors.As(err, &moved) {
		if tip, err := w.Repo.ResolveCommit(ctx, "refs/heads/"+name); err == nil && tip == base {
			return nil
		}
		return fmt.Errorf("branch %s exists already and points elsewhere: choose another --loop-id", name)
	}
	return err
}

// tree takes a tree from the pool or makes one, at base, and sets it up.
func (w *Worker) tree(ctx context.Context, s loop.State, a loop.Action, h *Hooks, kind, base string) (string, error) {
	setup, err := w.setupDigest(ctx, s, base)
	if err != nil {
		return "", err
	}
	path, fresh, err := w.Trees.Take(ctx, kind, setup, w.TreeRoot)
	if err != nil {
		return "", fmt.Errorf("take a worktree: %w", err)
	}
	branch := ""
	if kind == agentTree {
		branch = s.Branch
	}
	if kind == agentTree || fresh || !exists(path) {
		if err := w.place(ctx, path, branch, base, fresh); err != nil {
			return "", err
		}
	} // a gate tree from the pool is brought to the commit by each gate
	if err := w.copyFiles(s, path); err != nil {
		return "", err
	}
	if fresh {
		if err := w.setUp(ctx, s, a, h, kind, path); err != nil {
			return "", err
		}
	}
	return path, w.Trees.Ready(ctx, path)
}

// place puts branch (or nothing, detached) at base into the tree.
func (w *Worker) place(ctx context.Context, path, branch, base string, fresh bool) error {
	if fresh {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("make the directory of worktrees: %w", err)
		}
	}
	if fresh || !exists(path) {
		return w.Repo.EnsureWorktree(ctx, git.Worktree{Path: path, Branch: branch, Commit: base})
	}
	if branch == "" {
		return w.Repo.CheckoutDetached(ctx, path, base)
	}
	return w.Repo.Switch(ctx, path, branch, base)
}

// exists: there is a worktree at path.
func exists(path string) bool {
	_, err := os.Lstat(filepath.Join(path, ".git"))
	return err == nil
}
