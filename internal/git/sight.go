package git

import (
	"context"
	"os"
	"path/filepath"
)

// Sight is what a tree holds: the commit it stands on ("" when unborn), and the
// tree object that its files, ignored ones aside, would make. Clean: these are
// the files of the commit.
type Sight struct {
	Commit, Tree string
	Clean        bool
}

// Sight looks at a tree of the repository; "" is the caller's. Its index and
// its refs stay as they are.
func (r *Repo) Sight(ctx context.Context, tree string) (Sight, error) {
	p, err := r.at(tree)
	if err != nil {
		return Sight{}, err
	}
	s, err := r.status(ctx, p)
	if err != nil {
		return Sight{}, err
	}
	if len(s.entries) == 0 && s.head != "" {
		id, err := r.TreeOf(ctx, s.head)
		return Sight{s.head, id, true}, err
	}
	tmp, done, err := borrowed(p)
	if err != nil {
		return Sight{}, err
	}
	defer done()
	id, err := r.stage(ctx, tmp, s)
	return Sight{s.head, id, false}, err
}

// TreeHolding finds the root of the tree of this repository that dir is in.
func (r *Repo) TreeHolding(dir string) (string, bool) {
	place, ok := Peek(dir)
	if !ok || place.CommonDir != r.CommonDir {
		return "", false
	}
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}
