package git

import (
	"context"
	"os"
	"path/filepath"
)

// CheckoutDetached makes the tracked files of a gate worktree exactly those of
// commit, regardless of earlier changes there: files changed with their old size
// and times, made read-only, replaced by folders or links, hidden by index marks.
// Untracked files are removed, ignored ones stay. Sparse checkout does not apply.
//
// With a seal (of this machine since its start, on Linux; elsewhere of this process)
// only every file's metadata is read; without one, every file's content once.
func (r *Repo) CheckoutDetached(ctx context.Context, path, commit string) error {
	p, err := r.linked(path)
	if err != nil {
		return err
	}
	p.whole = true
	unlock(p.gitDir)
	endUnfinished(p.gitDir)
	checkout := []string{"checkout", "--quiet", "-f", "--detach", commit, "--"}
	s, sealed := r.unsealTo(p)
	if sealed {
		there, err := r.advanceDetached(ctx, p, s, commit)
		if err != nil {
			return err
		}
		if there {
			return r.verify(ctx, p, commit, s.unsure, checkout...)
		}
	} else if err := r.rebuildIndex(ctx, p, commit); err != nil {
		return err
	}
	err = r.checkoutExactly(ctx, p, commit, s.unsure, checkout...)
	if err != nil && r.headless(ctx, p) {
		if err = r.repairHead(ctx, p, Worktree{Commit: commit}); err == nil {
			err = r.checkoutExactly(ctx, p, commit, s.unsure, checkout...)
		}
	}
	return err
}

// advanceDetached is advance for a worktree without a branch.
func (r *Repo) advanceDetached(ctx context.Context, p place, s seal, commit string) (bool, error) {
	if r.headless(ctx, p) {
		return false, nil
	}
	h, err := r.head(ctx, p)
	if err != nil {
		return false, err
	}
	there, err := r.advance(ctx, p, s, commit)
	if err != nil || !there || h == (Head{Commit: commit}) {
		return there, err
	}
	return true, replaceFile(filepath.Join(p.gitDir, "HEAD"), commit+"\n")
}

func (r *Repo) headless(ctx context.Context, p place) bool {
	_, err := r.head(ctx, p)
	return err != nil && ctx.Err() == nil
}

// rebuildIndex creates an index without file data and lets git compare every
// file's content with it. The previous checkout is loaded first, so that its
// files are removed even where the new commit ignores them.
func (r *Repo) rebuildIndex(ctx context.Context, p place, commit string) error {
	if err := os.RemoveAll(filepath.Join(p.gitDir, "index")); err != nil {
		return err
	}
	if h, err := r.head(ctx, p); err == nil {
		commit = h.Commit
	} else if err := r.repairHead(ctx, p, Worktree{Commit: commit}); err != nil {
		return err
	}
	if _, err := r.git(ctx, p, "read-tree", commit); err != nil {
		return err
	}
	// Exit 1 means that files differ, which checkout corrects.
	if _, err := r.git(ctx, p, "update-index", "-q", "--refresh"); exitCode(err) > 1 || exitCode(err) == -1 {
		return err
	}
	return nil
}
