package review

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"ralph/internal/git"
)

// Clear removes the trees of reviewers below root, and root: leftovers of killed
// reviews. No review may be running there. A commit that a reviewer made is lost
// with its tree; base is any commit of the repository's own.
func Clear(ctx context.Context, repo *git.Repo, root, base string) error {
	trees, err := os.ReadDir(root)
	if os.IsNotExist(err) {
		return nil
	}
	errs := []error{err}
	for _, t := range trees {
		path := filepath.Join(root, t.Name())
		if err := repo.EnsureWorktree(ctx, git.Worktree{Path: path, Commit: base}); err != nil {
			errs = append(errs, err)
			continue
		}
		err := repo.CheckoutDetached(ctx, path, base)
		if err == nil {
			err = repo.RetireWorktree(ctx, root, path)
		}
		errs = append(errs, err)
	}
	return errors.Join(append(errs, git.Sweep(root), removeEmpty(root))...)
}

func removeEmpty(dir string) error {
	if err := os.Remove(dir); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}
