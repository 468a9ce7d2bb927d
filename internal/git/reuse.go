package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Switch prepares a worktree of ralph's for its next work: branch, created at or
// moved to commit, is checked out; untracked files are removed, ignored ones (the
// caches) kept. A branch at another commit is moved only when its tip is in
// commit's history; else ErrRefMoved.
func (r *Repo) Switch(ctx context.Context, path, branch, commit string) error {
	p, err := r.linked(path)
	if err != nil {
		return err
	}
	unlock(p.gitDir)
	r.unlockOwn(heads + branch)
	r.known.registering.Lock()
	defer r.known.registering.Unlock()
	tip, where, err := r.branch(ctx, branch)
	if err != nil {
		return err
	}
	if where != "" && where != p.tree {
		return ErrCheckedOut{branch, where}
	}
	if tip != "" && tip != commit {
		if within, err := r.IsAncestor(ctx, tip, commit); err != nil {
			return err
		} else if !within {
			return ErrRefMoved{heads + branch, commit, tip}
		}
	}
	if tip != commit {
		if err := r.moveRef(ctx, r.shared(), heads+branch, commit, tip); err != nil {
			return err
		}
	}
	checkout := []string{"reset", "--hard", "--quiet", "--no-recurse-submodules"}
	there, s, err := r.fromSeal(ctx, p, commit)
	if err != nil {
		return err
	}
	endUnfinished(p.gitDir)
	// "git checkout" does not sync the HEAD that it writes.
	if err := replaceFile(filepath.Join(p.gitDir, "HEAD"), "ref: "+heads+branch+"\n"); err != nil {
		return err
	}
	if there {
		return r.verify(ctx, p, commit, s.unsure, checkout...)
	}
	return r.checkoutExactly(ctx, p, commit, s.unsure, checkout...)
}

// fromSeal puts an index that no agent wrote into the place of that of an agent's
// worktree, and returns true where the tree has been brought to the commit with it.
// Elsewhere than on Linux, and in sparse checkouts, the index stays without its marks.
func (r *Repo) fromSeal(ctx context.Context, p place, commit string) (there bool, s seal, err error) {
	d, err := r.drivers(ctx, p.gitDir)
	if err != nil {
		return false, s, err
	}
	if !canLook || d.sparse {
		hidden, err := r.marks(ctx, p)
		if err != nil {
			return false, s, err
		}
		return false, s, r.unmark(ctx, p, hidden)
	}
	s, sealed := r.unsealTo(p)
	if !sealed {
		return false, s, r.rebuildIndex(ctx, p, commit)
	}
	there, err = r.advance(ctx, p, s, commit)
	return there, s, err
}

// Detach releases a worktree's branch, so that it can be archived or checked out
// elsewhere. No file changes.
func (r *Repo) Detach(ctx context.Context, path string) error {
	p, err := r.linked(path)
	if err != nil {
		return err
	}
	unlock(p.gitDir)
	r.keepSeal(p)
	h, err := r.head(ctx, p)
	if err != nil || h.Branch == "" {
		return err
	}
	_, err = r.git(ctx, p, "update-ref", "--no-deref", "-m", "ralph", "HEAD", h.Commit)
	return err
}

// clean removes untracked files, nested repositories too: all, or those below paths.
// Ignored files stay.
func (r *Repo) clean(ctx context.Context, p place, paths ...string) error {
	return r.retryWritable(ctx, p, append([]string{"clean", "-ffd", "--quiet", "--"}, paths...)...)
}

// retryWritable runs a command that removes files. When it fails, folders are made
// writable and it runs once more: tests leave read-only folders behind, and agents some
// that are nested too deep for git.
func (r *Repo) retryWritable(ctx context.Context, p place, args ...string) error {
	_, err := r.git(ctx, p, args...)
	if err == nil || exitCode(err) == -1 {
		return err
	}
	if chmodErr := makeWritable(p.tree); chmodErr != nil {
		return errors.Join(err, chmodErr)
	}
	if _, err = r.git(ctx, p, args...); err != nil {
		return fmt.Errorf("worktree %s: %w", p.tree, err)
	}
	return nil
}

// deepest is the longest path of a folder in which every name can be reached: the kernel
// takes 4095 bytes, of which a name has up to 255.
const deepest = 4095 - 256

// makeWritable makes folders writable. One that is nested too deep is removed: nothing in
// it can be tracked.
func makeWritable(root string) error {
	// Opened before its folders are read: WalkDir calls us first.
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d == nil || !d.IsDir() {
			return nil
		}
		if len(path) > deepest {
			_ = os.RemoveAll(path)
			return fs.SkipDir
		}
		if err != nil {
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o700 != 0o700 {
			return os.Chmod(path, info.Mode().Perm()|0o700)
		}
		return nil
	})
}
