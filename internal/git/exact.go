package git

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// checkoutExactly runs a checkout and makes the tree equal to it.
func (r *Repo) checkoutExactly(ctx context.Context, p place, commit string, unsure bool, checkout ...string) error {
	if err := r.retryWritable(ctx, p, checkout...); err != nil {
		return err
	}
	return r.verify(ctx, p, commit, unsure, checkout...)
}

// verify makes a tree equal to its index, which is that of commit: it looks at every
// file, puts back those that are not as git wrote them, removes what git neither tracks
// nor ignores, and seals the index. Where a look cannot tell, git compares.
func (r *Repo) verify(ctx context.Context, p place, commit string, unsure bool, checkout ...string) error {
	for range 2 {
		if !isID(commit) {
			break
		}
		x, err := readIndex(p.gitDir, len(commit)/2)
		if err != nil {
			break
		}
		saw, err := x.look(p.tree)
		if err != nil {
			break
		}
		extras, deceived := removeRules(p.tree, x, saw.extra)
		if wrong := append(saw.wrong, deceived...); len(wrong) > 0 {
			if err := r.writeAnew(ctx, p, x, wrong, checkout); err != nil {
				return err
			}
			continue
		}
		if err := r.removeExtra(ctx, p, extras); err != nil {
			return err
		}
		if unsure {
			break
		}
		r.sealAs(p, commit, x)
		return nil
	}
	if err := r.verifyByGit(ctx, p, checkout...); err != nil {
		return err
	}
	r.seal(p, commit)
	return nil
}

// writeAnew writes tracked files anew.
func (r *Repo) writeAnew(ctx context.Context, p place, x indexFile, wrong, checkout []string) error {
	for _, path := range wrong {
		clearPath(p.tree, path)
	}
	if len(wrong) < len(x.entries)/2 {
		_, err := r.feed(ctx, p, nulls(wrong), "checkout-index", "--quiet", "-f", "-u", "-z", "--stdin")
		if err == nil || exitCode(err) == -1 {
			return err
		}
	}
	return r.retryWritable(ctx, p, checkout...)
}

// removeRules removes files that decide what git ignores or writes and that no commit
// has, and repositories in folders with tracked files. deceived are the tracked files that
// git may have written under such rules.
func removeRules(tree string, x indexFile, extras []extra) (others []extra, deceived []string) {
	for _, e := range extras {
		switch path.Base(e.path) {
		case ".gitattributes":
			deceived = append(deceived, x.below(strings.TrimSuffix(e.path[:len(e.path)-len(".gitattributes")], "/"))...)
			clearPath(tree, e.path)
		case ".git", ".gitignore":
			clearPath(tree, e.path)
		default:
			others = append(others, e)
		}
	}
	return others, deceived
}

// removeExtra removes what git does not ignore. The files that decide about that must be
// those of the index.
func (r *Repo) removeExtra(ctx context.Context, p place, extras []extra) error {
	if extras == nil {
		return nil
	}
	var paths, asked []string
	folders := map[string]bool{}
	for _, e := range extras {
		// It refuses literal paths; nothing after "./" is magic.
		paths, asked, folders[e.path] = append(paths, e.path), append(asked, "./"+e.path), e.folder
	}
	out, err := r.call(ctx, call{
		place: p, args: []string{"check-ignore", "-z", "--stdin"}, stdin: nulls(asked), env: []string{"GIT_LITERAL_PATHSPECS=0"}, max: 1 << 30,
	})
	if code := exitCode(err); code == -1 {
		return err
	} else if code > 1 {
		return r.clean(ctx, p)
	}
	ignored := map[string]bool{}
	for _, path := range fields(out) {
		ignored[strings.TrimPrefix(path, "./")] = true
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return ignored[path] })
	return r.removeUntracked(ctx, p, paths, folders)
}

// removeUntracked removes files, and what git does not ignore in folders.
func (r *Repo) removeUntracked(ctx context.Context, p place, paths []string, folders map[string]bool) error {
	var unsure []string
	for _, path := range paths {
		if folders[path] || os.Remove(filepath.Join(p.tree, filepath.FromSlash(path))) != nil {
			unsure = append(unsure, path)
		}
	}
	if unsure == nil {
		return nil
	}
	const most = 1000 // the arguments of a process have a limit
	if len(unsure) > most {
		return r.clean(ctx, p)
	}
	return r.clean(ctx, p, unsure...)
}

// verifyByGit makes a tree equal to its index as far as git sees.
func (r *Repo) verifyByGit(ctx context.Context, p place, checkout ...string) error {
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
