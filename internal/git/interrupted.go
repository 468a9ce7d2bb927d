package git

import (
	"context"
	"os"
	"path/filepath"
)

// advancing is a file of a worktree that records which move of its branch is under way. It
// stays where a kill or a power cut came in between.
type advancing struct{ path, record string }

func advanceMark(p place, commit, old string) advancing {
	return advancing{filepath.Join(p.gitDir, "ralph-advance"), old + " " + commit + "\n"}
}

func (m advancing) interrupted() bool { return string(readSmall(m.path)) == m.record }

func (m advancing) begin() error { return replaceFile(m.path, m.record) }

func (m advancing) end() { _ = os.Remove(m.path) }

// restoreLost checks out files again that an interrupted move of a worktree to commit
// left empty, or without their names: a power cut does so, and they are no change of
// the user's.
func (r *Repo) restoreLost(ctx context.Context, p place, changes []Change, commit string) error {
	var lost []string
	for _, c := range changes {
		info, err := os.Lstat(filepath.Join(p.tree, filepath.FromSlash(c.Path)))
		if c.Status != "D" && (os.IsNotExist(err) || err == nil && info.Mode().IsRegular() && info.Size() == 0) {
			lost = append(lost, c.Path)
		}
	}
	if lost == nil {
		return nil
	}
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return err
	}
	defer done()
	if _, err := r.git(ctx, tmp, "read-tree", commit); err != nil {
		return err
	}
	_, err = r.feed(ctx, tmp, nulls(lost), "checkout-index", "-q", "-f", "-z", "--stdin")
	return err
}
