package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/sandbox/room"
)

// The file <tree>.setup/left beside an agent's worktree lists what set-up left in the worktree.
// The next loop's agent gets that, and nothing else that git ignores: an agent can leave
// instructions, settings and programs there.
func setupLeft(tree string) string { return filepath.Join(setupDir(tree), "left") }

// recordSetup lists what set-up left. Where that cannot be listed, set-up runs again for the
// next loop.
func (w *Worker) recordSetup(ctx context.Context, s loop.State, tree string) error {
	if len(s.Setup) == 0 {
		return nil
	}
	left, err := w.Repo.Inventory(ctx, tree)
	if err != nil || left == nil {
		room.RemoveAll(setupDir(tree))
		return nil
	}
	if err := errors.Join(os.MkdirAll(setupDir(tree), 0o700), durable.Write(setupLeft(tree), left.Bytes())); err != nil {
		return fmt.Errorf("record what set-up left: %w", err)
	}
	return nil
}

// sift removes from an agent's worktree what an earlier agent left there. Where something that
// set-up left is no longer as it was, all of that goes, too, and the tree is fresh: set-up
// runs again. A tree that cannot be cleaned is set aside for a new one.
func (w *Worker) sift(ctx context.Context, s loop.State, t Tree, commit string) (Tree, error) {
	var left git.Inventory
	whole := len(s.Setup) == 0
	if data, err := os.ReadFile(setupLeft(t.Path)); err == nil && !whole && !t.Fresh {
		left, whole = git.ParseInventory(data), true
	}
	same, err := w.Repo.KeepOnly(ctx, t.Path, commit, left)
	if err == nil && same && whole || ctx.Err() != nil {
		return t, err
	}
	t.Fresh = true
	room.RemoveAll(setupDir(t.Path))
	if gone := w.Trees.Gone(ctx, t.Path); err == nil || gone != nil {
		return t, gone
	}
	if err := DiscardTree(ctx, w.Repo, t.Path); err != nil {
		return t, fmt.Errorf("set the worktree %s aside: %w", t.Path, err)
	}
	return t, w.Repo.EnsureWorktree(ctx, git.Worktree{Path: t.Path, Commit: commit})
}
