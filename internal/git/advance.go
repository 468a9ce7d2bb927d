package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AdvanceBranch moves a branch of the user's from old to commit, where a person
// asked for it. Checked out somewhere, its index and files move along, each
// file only if it is as old has it; changes elsewhere in the tree stay. Changes
// in the way are ErrDirty, before anything is touched. After a crash in
// between, the same call completes it.
func (r *Repo) AdvanceBranch(ctx context.Context, name, commit, old string) error {
	tip, where, err := r.branch(ctx, name)
	switch {
	case err != nil:
		return err
	case tip != old && tip != commit:
		return ErrRefMoved{heads + name, old, tip}
	case where != "":
		if err := r.advanceTree(ctx, where, commit, old); err != nil {
			return err
		}
	}
	if err := r.Sync(); err != nil {
		return err
	}
	p := r.shared()
	if where != "" {
		if p, err = r.at(where); err != nil {
			return err
		}
		p.tree, p.reads = "", false
	}
	if err := r.moveRef(ctx, p, heads+name, commit, old); err != nil {
		return err
	}
	return r.Sync()
}

// advanceTree is the only place that writes the index of a user's tree. git
// itself checks every file again before it writes the first.
func (r *Repo) advanceTree(ctx context.Context, tree, commit, old string) error {
	p, err := r.at(tree)
	if err != nil {
		return err
	}
	if lock := filepath.Join(p.gitDir, "index.lock"); exists(lock) {
		return ErrLocked{lock}
	}
	changes, err := r.ChangedFiles(ctx, old, commit)
	if err != nil {
		return err
	}
	arrived, err := r.inTheWay(ctx, p, changes, commit)
	if err != nil {
		return err
	}
	p.reads = false
	if len(arrived) > 0 {
		// An earlier call was killed after it wrote these files.
		if _, err := r.feed(ctx, p, nulls(arrived), "update-index", "-z", "--add", "--remove", "--replace", "--stdin"); err != nil {
			return err
		}
	}
	// Exit 1 only says that files have changes; those are not in the way.
	if _, err := r.git(ctx, p, "update-index", "-q", "--refresh"); exitCode(err) > 1 || exitCode(err) == -1 {
		return err
	}
	_, err = r.git(ctx, p, "read-tree", "-m", "-u", old, commit)
	if refused, ok := errors.AsType[*CommandError](err); ok && refused.Code == 128 {
		return errors.Join(ErrDirty{pathsOf(changes)}, err)
	}
	return err
}

// inTheWay refuses where the user's changes meet the change's paths. Paths that
// already are as commit has them do not count; they are answered.
func (r *Repo) inTheWay(ctx context.Context, p place, changes []Change, commit string) (arrived []string, err error) {
	s, err := r.status(ctx, p)
	if err != nil {
		return nil, err
	}
	touched := map[string]bool{}
	for _, c := range changes {
		touched[c.Path] = true
	}
	var dirty []string
	for _, e := range s.entries {
		if meets(touched, strings.TrimSuffix(e.path, "/")) {
			dirty = append(dirty, e.path)
		}
	}
	if dirty == nil {
		return nil, nil
	}
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return nil, err
	}
	defer done()
	if _, err := r.feed(ctx, tmp, nulls(dirty), "update-index", "-z", "--add", "--remove", "--replace", "--stdin"); err != nil {
		return nil, errors.Join(ErrDirty{dirty}, err)
	}
	out, err := r.git(ctx, tmp, append([]string{"diff-index", "--cached", "-z", "--name-only", "--no-renames", commit, "--"}, dirty...)...)
	if err != nil {
		return nil, err
	}
	if still := fields(out); len(still) > 0 {
		return nil, ErrDirty{still}
	}
	return slices.DeleteFunc(dirty, func(d string) bool { return strings.HasSuffix(d, "/") }), nil
}

// meets holds for a touched path, a folder above one or a path below one: a
// file cannot become a folder while another is in its place.
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
