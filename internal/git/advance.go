package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/disk"
)

// AdvanceBranch moves a branch of the user's from old to commit, on the user's
// request. If it is checked out, its index and files move along, each file only
// if it is as in old; changes elsewhere in the tree stay. Conflicting changes are
// ErrDirty, before anything is touched. Where files cannot be written, those written
// before are put back, and it is ErrNotWritten. After a crash in between, the same call
// completes it.
func (r *Repo) AdvanceBranch(ctx context.Context, name, commit, old string) error {
	return r.AdvanceOver(ctx, name, commit, old, "")
}

// AdvanceOver is AdvanceBranch for a commit that was built on the conflicting
// changes: they do not count where their content is that of carried, an ancestor
// of commit.
func (r *Repo) AdvanceOver(ctx context.Context, name, commit, old, carried string) error {
	if carried != "" {
		if within, err := r.IsAncestor(ctx, carried, commit); err != nil {
			return err
		} else if !within {
			carried = "" // it was rewritten: history does not keep it
		}
	}
	tip, where, err := r.branch(ctx, name)
	switch {
	case err != nil:
		return err
	case tip != old && tip != commit:
		return ErrRefMoved{heads + name, old, tip}
	case where == "":
		if err := r.Sync(); err != nil {
			return err
		}
		return errors.Join(noSpace(r.moveRef(ctx, r.shared(), heads+name, commit, old), r.CommonDir), r.Sync())
	}
	p, err := r.at(where)
	if err != nil {
		return err
	}
	mark := advanceMark(p, commit, old)
	if mark.interrupted() {
		mark.unlock(commit, filepath.Join(p.gitDir, "HEAD.lock"), r.lockOf(heads+name))
	}
	if err := r.advanceTree(ctx, p, move{commit: commit, old: old, mark: mark}, carried); err != nil {
		return noSpace(err, where, r.CommonDir)
	}
	if err := r.Sync(); err != nil {
		return err
	}
	p.tree, p.reads = "", false
	err = mark.begin() // from now on the locks of refs are its own
	if err == nil {
		err = r.moveRef(ctx, p, heads+name, commit, old)
	}
	if err != nil {
		return noSpace(err, r.CommonDir)
	}
	mark.end()
	return r.Sync()
}

// advanceTree is the only place that writes the index of a user's tree. git
// itself checks every file again before it writes the first.
func (r *Repo) advanceTree(ctx context.Context, p place, m move, carried string) (err error) {
	if m.changes, err = r.ChangedFiles(ctx, m.old, m.commit); err != nil {
		return err
	}
	p, lock, err := lockIndex(p)
	if err != nil {
		return err
	}
	defer lock.release()
	if m.mark.interrupted() {
		if err := r.restoreLost(ctx, p, m); err != nil {
			return err
		}
	}
	known, err := r.inTheWay(ctx, p, m.changes, m.commit, carried)
	if err != nil {
		return err
	}
	if err := m.mark.begin(); err != nil {
		return err
	}
	if len(known) > 0 {
		// The index has them now too; git takes the tree from there on.
		if _, err := r.feed(ctx, p, nulls(known), "update-index", "-z", "--add", "--remove", "--replace", "--stdin"); err != nil {
			return err
		}
		if m.old, err = r.startingFrom(ctx, p, m.old, known); err != nil {
			return err
		}
	}
	// Exit 1 only means that files have changes; those do not conflict.
	if _, err := r.git(ctx, p, "update-index", "-q", "--refresh"); exitCode(err) > 1 || exitCode(err) == -1 {
		return err
	}
	_, err = r.git(ctx, p, "read-tree", "-m", "-u", m.old, m.commit)
	if refused, ok := errors.AsType[*CommandError](err); ok && refused.Code == 128 {
		return r.notMoved(ctx, p, m, err)
	}
	if err != nil {
		return err
	}
	return lock.replace()
}

// startingFrom returns the tree of old with some paths as in the index of p.
func (r *Repo) startingFrom(ctx context.Context, p place, old string, paths []string) (string, error) {
	out, err := r.git(ctx, p, append([]string{"ls-files", "-s", "-z", "--"}, paths...)...)
	if err != nil {
		return "", err
	}
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return "", err
	}
	defer done()
	if _, err := r.git(ctx, tmp, "read-tree", old); err != nil {
		return "", err
	}
	if _, err := r.feed(ctx, tmp, nulls(paths), "update-index", "-z", "--force-remove", "--stdin"); err != nil {
		return "", err
	}
	if len(out) > 0 {
		if _, err := r.feed(ctx, tmp, out, "update-index", "-z", "--index-info"); err != nil {
			return "", err
		}
	}
	return r.line(ctx, tmp, "write-tree")
}

// inTheWay fails where the user's changes overlap the change's paths. Paths that
// are as in commit or in carried do not count, since their content is kept; they
// are returned.
func (r *Repo) inTheWay(ctx context.Context, p place, changes []Change, commit, carried string) (known []string, err error) {
	s, err := r.status(ctx, p)
	if err != nil {
		return nil, err
	}
	touched := map[string]bool{}
	for _, c := range changes {
		touched[c.Path] = true
	}
	var dirty, both []string
	seen := map[string]bool{}
	for _, e := range s.entries {
		seen[strings.TrimSuffix(e.path, "/")] = true
		if meets(touched, strings.TrimSuffix(e.path, "/")) {
			dirty = append(dirty, e.path)
			if e.staged != '?' && e.staged != '.' && e.unstaged != '.' {
				both = append(both, e.path)
			}
		}
	}
	dirty = append(dirty, ignored(p.tree, changes, seen)...)
	if dirty == nil {
		return nil, nil
	}
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return nil, err
	}
	defer done()
	// A staged version that was changed again afterwards may be in no commit.
	still, err := r.unlike(ctx, tmp, both, commit, carried)
	if err == nil && len(still) > 0 {
		return nil, ErrDirty{still}
	}
	if err != nil {
		return nil, err
	}
	if _, err := r.feed(ctx, tmp, nulls(dirty), "update-index", "-z", "--add", "--remove", "--replace", "--stdin"); err != nil {
		if exitCode(err) == -1 || disk.Full(p.tree, p.gitDir) != "" {
			return nil, err // it says nothing about the files
		}
		return nil, errors.Join(ErrDirty{dirty}, err)
	}
	if still, err = r.unlike(ctx, tmp, dirty, commit, carried); err != nil {
		return nil, err
	}
	if len(still) > 0 {
		return nil, ErrDirty{still}
	}
	return slices.DeleteFunc(dirty, func(d string) bool { return strings.HasSuffix(d, "/") }), nil
}

// ignored are the files that a commit's new files would take the place of and that git's
// status does not name, since it ignores them: it would write over them.
func ignored(tree string, changes []Change, named map[string]bool) (found []string) {
	for _, c := range changes {
		named[c.Path] = named[c.Path] || c.Status != "A"
	}
	add := func(p string) {
		if !named[p] {
			found, named[p] = append(found, p), true
		}
	}
	for _, c := range changes {
		if c.Status != "A" {
			continue
		}
		for at := c.Path; at != "."; at = path.Dir(at) {
			full := filepath.Join(tree, filepath.FromSlash(at))
			info, err := os.Lstat(full)
			switch {
			case err != nil:
			case !info.IsDir():
				add(at)
			case at == c.Path: // the commit removes what git knows in it
				_ = filepath.WalkDir(full, func(file string, d fs.DirEntry, err error) error {
					if name, relErr := filepath.Rel(tree, file); err == nil && relErr == nil && !d.IsDir() {
						add(filepath.ToSlash(name))
					}
					return nil
				})
			}
		}
	}
	return found
}

// unlike returns the paths that differ in an index from each of the commits.
func (r *Repo) unlike(ctx context.Context, p place, paths []string, commits ...string) ([]string, error) {
	for _, commit := range commits {
		if commit == "" || len(paths) == 0 {
			continue
		}
		out, err := r.git(ctx, p, append([]string{"diff-index", "--cached", "-z", "--name-only", "--no-renames", commit, "--"}, paths...)...)
		if err != nil {
			return nil, err
		}
		paths = fields(out)
	}
	return paths, nil
}

// meets reports whether path is touched, a folder above or a path below a touched
// one: a file cannot become a folder while another is in its place.
func meets(touched map[string]bool, path string) bool {
	if touched[path] {
		return true
	}
	for t := range touched {
		if strings.HasPrefix(t, path+"/") || strings.HasPrefix(path, t+"/") {
			return true
		}
	}
	return false
}

func pathsOf(changes []Change) []string {
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Path
	}
	return paths
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
