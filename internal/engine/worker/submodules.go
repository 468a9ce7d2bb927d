package worker

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/git"
)

// registered returns the variables with which set-up commands find the submodules of a tree
// registered that the repository's configuration does not have. git submodule update --init
// would write them there, which no sandbox allows and which would change the user's own
// clone; with these it writes nothing there, and clones into the tree's part of the
// repository.
func (w *Worker) registered(ctx context.Context, tree string) ([]string, error) {
	if _, err := os.Lstat(filepath.Join(tree, ".gitmodules")); err != nil {
		return nil, nil //nolint:nilerr // there are none
	}
	all, err := w.Repo.Submodules(ctx, tree)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	have, err := w.Repo.Registered(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s git.Submodule) bool {
		return slices.ContainsFunc(have, func(h git.Submodule) bool { return h.Name == s.Name })
	})
	if len(all) == 0 {
		return nil, nil
	}
	remote := w.Remote
	if remote == "" {
		if remote, err = w.Repo.RemoteURL(ctx, "origin"); err != nil {
			return nil, fmt.Errorf("look where submodules are: %w", err)
		}
	}
	for i := range all {
		all[i].URL = git.RelativeURL(cmp.Or(remote, w.Repo.MainRoot), all[i].URL)
	}
	return git.Registration(all), nil
}
