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

// Unmoved says whether the tracked files of a tree still are as they were seen:
// it stands on the same commit, the same files differ from it, and none of
// those was written since. Untracked files may come and go, as reports do that
// nobody told git to ignore.
func (r *Repo) Unmoved(ctx context.Context, tree string, seen Sight) (bool, error) {
	p, err := r.at(tree)
	if err != nil {
		return false, err
	}
	s, err := r.work(ctx, p)
	if err != nil {
		return false, err
	}
	now := tracked(s.entries)
	same := s.head == seen.Commit && slices.Equal(now, seen.entries)
	return same && slices.Equal(marksOf(p.tree, now), seen.marks), nil
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
