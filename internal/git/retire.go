package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// aside is the folder beside worktrees where retired ones wait for Sweep.
const aside = ".retired"

// RetireWorktree gives up a worktree directly or deeper below root: one rename,
// since deleting thousands of files takes long and slows the next "worktree
// add". Sweep deletes later. A detached HEAD that no ref contains is
// ErrUnreachable; files that nobody committed go with it, so Commit first.
func (r *Repo) RetireWorktree(ctx context.Context, root, path string) error {
	p, err := r.linked(path)
	if err != nil {
		return err
	}
	root, err = filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	if !inside(root, p.tree) || inside(p.tree, r.CommonDir) || r.Root != "" && inside(p.tree, r.Root) {
		return fmt.Errorf("retire %s: %w %s", p.tree, ErrOutsideRoot, root)
	}
	if h, err := r.head(ctx, p); err == nil && h.Branch == "" {
		if kept, err := r.keptBesides(ctx, "", h.Commit); err != nil {
			return err
		} else if !kept {
			return ErrUnreachable{p.tree, h.Commit}
		}
	}
	if err := moveAside(root, p.tree); err != nil {
		return err
	}
	return r.forget(p.gitDir)
}

// Sweep deletes what RetireWorktree set aside in root, or Heal in the folder that
// held a half-made worktree.
func Sweep(root string) error {
	dir := filepath.Join(root, aside)
	err := os.RemoveAll(dir)
	if err != nil && makeWritable(dir) == nil {
		err = os.RemoveAll(dir)
	}
	return err
}

// moveAside renames a tree into root's folder of retired ones.
func moveAside(root, path string) error {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	dir := filepath.Join(root, aside)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	slot, err := os.MkdirTemp(dir, filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	return os.Rename(path, filepath.Join(slot, "tree"))
}

// inside holds for real paths strictly below root.
func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
