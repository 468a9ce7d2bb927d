package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/sandbox/room"
)

// Trees is the pool of worktrees (kept by the store). A tree is fresh
// from the moment its name is reserved, or it is found to be gone, until it is
// Ready: the loop that finds a fresh one makes it.
type Trees interface {
	// Take reserves a tree of a kind for the loop, the same one each time it
	// is asked.
	Take(ctx context.Context, kind, setup, root string) (Tree, error)
	// Held are the trees that the loop has.
	Held(ctx context.Context) ([]Tree, error)
	Ready(ctx context.Context, path string) error
	Gone(ctx context.Context, path string) error
	Return(ctx context.Context, path string) error
	// Slot returns the number of the loop among those that run on the machine, from 1;
	// 0: it has none.
	Slot(ctx context.Context) (int, error)
	// Lock makes the loop the only one that writes in a tree of the user's.
	Lock(ctx context.Context, path string) error
}

// Tree is a worktree of the pool.
type Tree struct {
	Path  string
	Fresh bool
}

// The kinds of tree. They are never exchanged: ignored files that an agent
// leaves behind must not affect a gate.
const (
	AgentTree = "agent"
	GateTree  = "gate"
)

// take takes a tree. One of the pool that was deleted is fresh again, so that
// its set-up is not considered done.
func (w *Worker) take(ctx context.Context, kind, setup string) (Tree, error) {
	t, err := w.Trees.Take(ctx, kind, setup, w.TreeRoot)
	if err == nil && !t.Fresh && !exists(t.Path) {
		t.Fresh, err = true, w.Trees.Gone(ctx, t.Path)
	}
	if err != nil {
		return t, fmt.Errorf("take a worktree: %w", err)
	}
	return t, nil
}

// exists: there is a worktree at path.
func exists(path string) bool {
	_, err := os.Lstat(filepath.Join(path, ".git"))
	return err == nil
}

// ensureTree creates the tree of a step if it is missing. A deleted one is made
// again from the newest commit and set up; then it returns true.
func (w *Worker) ensureTree(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (again bool, err error) {
	tree, kind, branch := s.Worktree, AgentTree, s.Branch
	switch {
	case a.Do == loop.DoProve, a.Do == loop.DoGate && (a.OnBase || !s.GatesInAgentTree):
		tree, kind, branch = s.GateTree, GateTree, ""
	case a.Do != loop.DoGate && a.Do != loop.DoAgent && a.Do != loop.DoCommit:
		return false, nil
	}
	if tree == s.Root || exists(tree) {
		return false, nil
	}
	if err := w.Trees.Gone(ctx, tree); err != nil {
		return false, err
	}
	if err := w.Repo.EnsureWorktree(ctx, git.Worktree{Path: tree, Branch: branch, Commit: s.Tip()}); err != nil {
		return false, fmt.Errorf("make the deleted worktree again: %w", err)
	}
	return true, w.furnish(ctx, s, a, h, kind, Tree{Path: tree, Fresh: true}, s.Base)
}

// poolKey is what a tree of the pool must have been set up for. A gate's tree holds
// a commit and nothing else.
func poolKey(kind, setup string) string {
	if kind == GateTree {
		return ""
	}
	return setup
}

// furnish brings into a tree what git does not, and calls it ready.
func (w *Worker) furnish(ctx context.Context, s loop.State, a loop.Action, h *Hooks, kind string, t Tree, base string) error {
	if kind == GateTree {
		if err := w.furnishGate(ctx, s, a, h, t.Path, base); err != nil {
			return err
		}
	} else if err := w.copyFiles(s, t.Path); err != nil {
		return err
	}
	again := t.Fresh || len(s.Teardown) > 0
	if kind != GateTree {
		if again {
			if err := w.setUp(ctx, s, a, h, kind, t.Path); err != nil {
				return err
			}
		}
		if again || len(s.Copy) > 0 {
			if err := w.recordSetup(ctx, s, t.Path); err != nil {
				return err
			}
		}
	}
	if !again {
		return nil
	}
	return w.Trees.Ready(ctx, t.Path)
}

// returnTrees releases every tree that the loop has, also those that it had
// only begun to make. A tree that it returned earlier may belong to another
// loop now.
func (w *Worker) returnTrees(ctx context.Context, s loop.State) error {
	held, err := w.Trees.Held(ctx)
	if err != nil {
		return err
	}
	for _, t := range held {
		if err := w.releaseTree(ctx, s, t); err != nil {
			return fmt.Errorf("hand back the worktree %s: %w", t.Path, err)
		}
	}
	return nil
}

// releaseTree detaches a tree and gives it back; one that cannot be detached is
// healed first. The name of one that is gone goes back to the pool.
func (w *Worker) releaseTree(ctx context.Context, s loop.State, t Tree) error {
	tree := t.Path
	if _, err := os.Lstat(tree); errors.Is(err, fs.ErrNotExist) {
		if err := w.retire(ctx, tree); err != nil && !errors.Is(err, git.ErrNotLinked) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return errors.Join(w.Trees.Gone(ctx, tree), w.Trees.Return(ctx, tree))
	}
	err := w.Repo.Detach(ctx, tree)
	if err != nil || t.Fresh { // a "worktree add" that was cut off is detached, and locked
		if err := w.Repo.EnsureWorktree(ctx, git.Worktree{Path: tree, Commit: s.Base}); err != nil {
			return err
		}
		err = w.Repo.Detach(ctx, tree)
	}
	if err == nil && tree == s.Worktree {
		// Work that an agent left in a repository of its own is kept nowhere
		// else: such a tree is never given to another loop.
		if d, err := w.Repo.Dirty(ctx, tree); err != nil || len(d.Nested) > 0 {
			return err
		}
	}
	return errors.Join(err, w.Trees.Return(ctx, tree))
}

func (w *Worker) retire(ctx context.Context, tree string) error {
	return retireTree(ctx, w.Repo, tree)
}

// treesBeside are the existing trees that ralph made for agents and gates, but for one: those of
// the repository, and the folders with those of others. What agents leave there is no part of any
// commit.
func (w *Worker) treesBeside(tree string) (beside []string) {
	root, err := filepath.EvalSymlinks(w.TreeRoot)
	if err != nil {
		return nil
	}
	if of := filepath.Dir(root); filepath.Base(of) == "worktrees" { // else other things may lie there
		entries, _ := os.ReadDir(of)
		for _, e := range entries {
			beside = append(beside, filepath.Join(of, e.Name()))
		}
	}
	for _, path := range w.Repo.TreePaths() {
		if real, err := filepath.EvalSymlinks(path); err == nil && filepath.Dir(real) == root {
			beside = append(beside, real)
		}
	}
	tree, _ = filepath.EvalSymlinks(tree)
	return slices.DeleteFunc(beside, func(path string) bool { return path == tree || path == root || !isDir(path) })
}

// retireTree abandons a worktree, with the files that set-up left beside it. It
// does so where the worktree is: the root of the worktrees may have changed since
// the worktree was made.
func retireTree(ctx context.Context, repo *git.Repo, tree string) error {
	room.RemoveAll(setupDir(tree))
	return repo.RetireWorktree(ctx, filepath.Dir(tree), tree)
}

// DiscardTree deletes a worktree, with the files that set-up left beside it. What it holds
// and no ref contains is lost.
func DiscardTree(ctx context.Context, repo *git.Repo, tree string) error {
	room.RemoveAll(setupDir(tree))
	return repo.DiscardWorktree(ctx, filepath.Dir(tree), tree)
}
