package git

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"time"
)

// seal is the index as CheckoutDetached left it. Every test that runs in the tree
// can write the one on disk: it can mark a file "assume unchanged" or forge an
// entry, and the next commit would be judged with its version of that file.
type seal struct {
	index []byte
	mtime time.Time
}

// CheckoutDetached makes the tracked files of a gate worktree exactly those of
// commit, regardless of earlier changes there: files changed with their old size
// and times, made read-only, replaced by folders or links, hidden by index marks.
// Untracked files are removed, ignored ones stay. Sparse checkout does not apply.
//
// With a seal from this process only every file's metadata is read; without one,
// every file's content once.
func (r *Repo) CheckoutDetached(ctx context.Context, path, commit string) error {
	p, err := r.linked(path)
	if err != nil {
		return err
	}
	p.whole = true
	unlock(p.gitDir)
	settle(p.gitDir)
	if !r.unsealTo(p) {
		if err := r.rebuildIndex(ctx, p, commit); err != nil {
			return err
		}
	}
	err = r.checkoutExactly(ctx, p, "checkout", "--quiet", "-f", "--detach", commit, "--")
	if err != nil && r.headless(ctx, p) {
		if err = r.repairHead(ctx, p, Worktree{Commit: commit}); err == nil {
			err = r.checkoutExactly(ctx, p, "checkout", "--quiet", "-f", "--detach", commit, "--")
		}
	}
	if err == nil {
		r.seal(p)
	}
	return err
}

// checkoutExactly runs a checkout and makes the tree equal to it.
func (r *Repo) checkoutExactly(ctx context.Context, p place, checkout ...string) error {
	if err := r.retryWritable(ctx, p, checkout...); err != nil {
		return err
	}
	if err := r.clean(ctx, p); err != nil {
		return err
	}
	wrong, err := r.differing(ctx, p)
	if err != nil || len(wrong) == 0 {
		return err
	}
	// A folder replaced by a link to its own files elsewhere deceives checkout,
	// which follows the link.
	for _, w := range wrong {
		clearPath(p.tree, w)
	}
	if err := r.retryWritable(ctx, p, checkout...); err != nil {
		return err
	}
	return r.clean(ctx, p)
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

// differing returns tracked files that differ from the index.
func (r *Repo) differing(ctx context.Context, p place) ([]string, error) {
	out, err := r.git(ctx, p, "diff-files", "-z", "--name-only", "--no-ext-diff", "--ignore-submodules=dirty")
	return fields(out), err
}

// clearPath removes what is at a path in the tree, and links on the way to it.
func clearPath(tree, path string) {
	for i, c := range path {
		if c != '/' {
			continue
		}
		dir := filepath.Join(tree, filepath.FromSlash(path[:i]))
		if st, err := os.Lstat(dir); err == nil && !st.IsDir() {
			os.Remove(dir)
			return
		}
	}
	os.RemoveAll(filepath.Join(tree, filepath.FromSlash(path)))
}

// seal remembers the index just written. A failure only costs time later.
func (r *Repo) seal(p place) {
	file := filepath.Join(p.gitDir, "index")
	st, err := os.Stat(file)
	if err != nil {
		return
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return
	}
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	r.known.seals[p.gitDir] = seal{b, st.ModTime()}
}

func (r *Repo) unseal(gitDir string) {
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	delete(r.known.seals, gitDir)
}

// unsealTo restores the remembered index, with its time: git trusts an entry only
// when it is older than the index.
func (r *Repo) unsealTo(p place) bool {
	r.known.mu.Lock()
	s, ok := r.known.seals[p.gitDir]
	r.known.mu.Unlock()
	if !ok {
		return false
	}
	r.unseal(p.gitDir) // until it is good again
	file := filepath.Join(p.gitDir, "index")
	st, err := os.Lstat(file)
	if err == nil && st.Mode().IsRegular() && st.ModTime().Equal(s.mtime) {
		if have, err := os.ReadFile(file); err == nil && bytes.Equal(have, s.index) {
			return true
		}
	}
	if os.RemoveAll(file) != nil || os.WriteFile(file, s.index, 0o600) != nil {
		return false
	}
	return os.Chtimes(file, s.mtime, s.mtime) == nil
}
