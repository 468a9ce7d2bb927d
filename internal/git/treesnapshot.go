package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// TreeSnapshot is the content of a tree: its commit ("" before the first one), and the
// tree object of its files without ignored ones. Clean: these are the files of
// the commit.
type TreeSnapshot struct {
	Commit, Tree string
	Clean        bool

	entries []entry
	marks   []mark
}

// mark distinguishes contents of a file without reading it.
type mark struct {
	size    int64
	mode    os.FileMode
	changed time.Time
	inode   uint64
}

// SnapshotTree returns the content of a tree of the repository; "" is the
// caller's. Its index and its refs stay as they are. If an agent's sandbox
// protects the repository's objects, new objects are temporary.
func (r *Repo) SnapshotTree(ctx context.Context, tree string) (TreeSnapshot, error) {
	return r.snapshotTree(ctx, tree, writable(filepath.Join(r.CommonDir, "objects")))
}

func (r *Repo) snapshotTree(ctx context.Context, tree string, keep bool) (TreeSnapshot, error) {
	p, err := r.at(tree)
	if err != nil {
		return TreeSnapshot{}, err
	}
	s, err := r.work(ctx, p)
	if err != nil {
		return TreeSnapshot{}, err
	}
	seen := TreeSnapshot{Commit: s.head, entries: tracked(s.entries)}
	seen.marks = marksOf(p.tree, seen.entries)
	if len(s.entries) == 0 && s.head != "" {
		seen.Clean = true
		seen.Tree, err = r.TreeOf(ctx, s.head)
		return seen, err
	}
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return TreeSnapshot{}, err
	}
	defer done()
	if !keep {
		tmp.objects = filepath.Join(filepath.Dir(tmp.index), "objects")
		if err := os.Mkdir(tmp.objects, 0o700); err != nil {
			return TreeSnapshot{}, err
		}
	}
	seen.Tree, err = r.stage(ctx, tmp, s)
	return seen, err
}

// ChangedSince names tracked files of a tree that differ from a snapshot; a new
// commit is named as HEAD. Rewriting the same content is not a change. Untracked
// files may come and go, like reports that are not ignored.
func (r *Repo) ChangedSince(ctx context.Context, tree string, seen TreeSnapshot) ([]string, error) {
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

// rewritten names the files whose content differs, among those whose marks do.
func (r *Repo) rewritten(ctx context.Context, tree string, seen TreeSnapshot, now []entry, marks []mark) ([]string, error) {
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
	again, err := r.SnapshotTree(ctx, tree)
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

// RootOf returns the root of the tree of this repository that contains dir.
func (r *Repo) RootOf(dir string) (string, bool) {
	place, ok := Discover(dir)
	if !ok || place.CommonDir != r.CommonDir {
		return "", false
	}
	root, _, ok := holding(dir)
	return root, ok
}

// CommitSnapshot returns a commit with the content of a tree: the one that it is at,
// where that is the same, else a new one on top of it. Like Snapshot it checks nothing
// out and moves no ref; the commit is durable.
func (r *Repo) CommitSnapshot(ctx context.Context, seen TreeSnapshot, m Message) (string, error) {
	if seen.Commit != "" {
		tree, err := r.TreeOf(ctx, seen.Commit)
		if err != nil || tree == seen.Tree {
			return seen.Commit, err
		}
	}
	return r.keepTree(ctx, seen.Tree, m, seen.Commit)
}
