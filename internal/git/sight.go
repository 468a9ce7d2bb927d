package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Sight is what a tree holds: the commit it stands on ("" when unborn), and the
// tree object that its files, ignored ones aside, would make. Clean: these are
// the files of the commit.
type Sight struct {
	Commit, Tree string
	Clean        bool

	entries []entry
	marks   []mark
}

// mark tells one content of a file from another without reading it.
type mark struct {
	size    int64
	mode    os.FileMode
	changed time.Time
	inode   uint64
}

// Sight looks at a tree of the repository; "" is the caller's. Its index and
// its refs stay as they are. An agent's sandbox may keep the repository's
// objects from being written; what the look makes is then thrown away with it.
func (r *Repo) Sight(ctx context.Context, tree string) (Sight, error) {
	return r.sight(ctx, tree, writable(filepath.Join(r.CommonDir, "objects")))
}

func (r *Repo) sight(ctx context.Context, tree string, keep bool) (Sight, error) {
	p, err := r.at(tree)
	if err != nil {
		return Sight{}, err
	}
	s, err := r.work(ctx, p)
	if err != nil {
		return Sight{}, err
	}
	seen := Sight{Commit: s.head, entries: tracked(s.entries)}
	seen.marks = marksOf(p.tree, seen.entries)
	if len(s.entries) == 0 && s.head != "" {
		seen.Clean = true
		seen.Tree, err = r.TreeOf(ctx, s.head)
		return seen, err
	}
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return Sight{}, err
	}
	defer done()
	if !keep {
		tmp.objects = filepath.Join(filepath.Dir(tmp.index), "objects")
		if err := os.Mkdir(tmp.objects, 0o700); err != nil {
			return Sight{}, err
		}
	}
	seen.Tree, err = r.stage(ctx, tmp, s)
	return seen, err
}

// Moved names tracked files of a tree that are no longer as they were seen; a
// new commit is named as HEAD. What was written again with the same content has
// not moved. Untracked files may come and go, as reports do that nobody told
// git to ignore.
func (r *Repo) Moved(ctx context.Context, tree string, seen Sight) ([]string, error) {
	p, err := r.at(tree)
	if err != nil {
		return nil, err
	}
	s, err := r.work(ctx, p)
	if err != nil {
		return nil, err
	}
	now := tracked(s.entries)
	marks := marksOf(p.tree, now)
	if s.head != seen.Commit {
		return []string{"HEAD"}, nil
	}
	if slices.Equal(now, seen.entries) && slices.Equal(marks, seen.marks) {
		return nil, nil
	}
	return r.rewritten(ctx, tree, seen, now, marks)
}

// rewritten names the files whose content differs, where their marks do.
func (r *Repo) rewritten(ctx context.Context, tree string, seen Sight, now []entry, marks []mark) ([]string, error) {
	var paths []string
	for i, e := range now {
		at := slices.IndexFunc(seen.entries, func(old entry) bool { return old.path == e.path })
		if at < 0 || seen.entries[at] != e || seen.marks[at] != marks[i] {
			paths = append(paths, e.path)
		}
	}
	for _, e := range seen.entries {
		if !slices.ContainsFunc(now, func(new entry) bool { return new.path == e.path }) {
			paths = append(paths, e.path)
		}
	}
	again, err := r.Sight(ctx, tree)
	if err != nil || again.Tree == seen.Tree {
		return nil, err
	}
	return paths, nil
}

func tracked(entries []entry) []entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return e.staged == '?' })
}

func marksOf(root string, entries []entry) []mark {
	out := make([]mark, len(entries))
	for i, e := range entries {
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(e.path))); err == nil {
			out[i] = mark{info.Size(), info.Mode(), changeTime(info), inode(info)}
		}
	}
	return out
}

// TreeHolding finds the root of the tree of this repository that dir is in.
func (r *Repo) TreeHolding(dir string) (string, bool) {
	place, ok := Peek(dir)
	if !ok || place.CommonDir != r.CommonDir {
		return "", false
	}
	root, _, ok := holding(dir)
	return root, ok
}
