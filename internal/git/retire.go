package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// aside is the prefix of folders beside worktrees in which retired ones wait for
// Sweep.
const aside = ".retired-"

// Retired reports whether a folder of this name waits for Sweep.
func Retired(name string) bool { return strings.HasPrefix(name, aside) }

// RetireWorktree abandons a worktree directly or deeper below root: one rename,
// since deleting thousands of files takes long and slows the next "worktree add".
// Sweep deletes later. A detached HEAD that no ref contains is ErrUnreachable;
// uncommitted files are lost, so Commit first.
func (r *Repo) RetireWorktree(ctx context.Context, root, path string) error {
	if only, err := r.OnlyCommit(ctx, path); err != nil {
		return err
	} else if only != "" {
		return ErrUnreachable{path, only}
	}
	return r.DiscardWorktree(ctx, root, path)
}

// OnlyCommit returns the commit of a worktree's detached HEAD that no ref contains and
// none of the given commits; "" where nothing would be lost with the worktree.
func (r *Repo) OnlyCommit(ctx context.Context, path string, given ...string) (string, error) {
	p, err := r.linked(path)
	if err != nil {
		return "", err
	}
	h, err := r.head(ctx, p)
	if cutOff(err) {
		return "", err
	}
	if err != nil || h.Branch != "" {
		return "", nil
	}
	if kept, err := r.keptBesides(ctx, "", h.Commit); kept || err != nil {
		return "", err
	}
	for _, g := range given {
		if held, err := r.IsAncestor(ctx, h.Commit, g); held || err != nil {
			return "", err
		}
	}
	return h.Commit, nil
}

// DiscardWorktree is RetireWorktree for a worktree whose commit may be lost.
func (r *Repo) DiscardWorktree(ctx context.Context, root, path string) error {
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
	if err := moveAside(root, p.tree); err != nil {
		return err
	}
	return r.forget(p.gitDir)
}

// Sweep deletes what RetireWorktree moved aside in root, or Heal in the folder of
// a half-made worktree. Other processes may do both at the same time.
func Sweep(root string) error {
	slots, err := os.ReadDir(root)
	if os.IsNotExist(err) {
		return nil
	}
	errs := []error{err}
	for _, s := range slots {
		if s.IsDir() && Retired(s.Name()) {
			errs = append(errs, sweep(filepath.Join(root, s.Name())))
		}
	}
	return errors.Join(errs...)
}

// sweep deletes a folder, also one made read-only, or one that has received a
// tree meanwhile.
func sweep(slot string) error {
	err := os.RemoveAll(slot)
	for range 3 {
		if err == nil {
			return nil
		}
		_ = makeWritable(slot)
		err = os.RemoveAll(slot)
	}
	return err
}

// moveAside renames a tree into a folder of its own beside it; a concurrent sweep
// may remove that folder before the tree is in it.
func moveAside(root, path string) error {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	for try := 1; ; try++ {
		slot, err := os.MkdirTemp(root, aside)
		if err != nil {
			return err
		}
		if err = os.Rename(path, filepath.Join(slot, "tree")); !os.IsNotExist(err) || try == maxVanished {
			return err
		}
	}
}

// maxVanished is how often a folder may vanish before a tree is in it.
const maxVanished = 100

// inside reports whether a real path is strictly below root.
func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
