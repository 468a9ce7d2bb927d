package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/disk"
)

// advancing is a file of a worktree that records which move of its branch is under way. It
// stays where a kill or a power cut came in between.
type advancing struct{ path, record string }

func advanceMark(p place, commit, old string) advancing {
	return advancing{filepath.Join(p.gitDir, "ralph-advance"), old + " " + commit + "\n"}
}

func (m advancing) interrupted() bool { return string(readSmall(m.path)) == m.record }

func (m advancing) begin() error { return replaceFile(m.path, m.record) }

// lockTime is how long after its mark a move takes its locks of refs at most.
const lockTime = 10 * time.Second

// unlock removes locks of refs that the move took before it was killed: they are from just
// after the mark, and are empty or hold its commit.
func (m advancing) unlock(commit string, locks ...string) {
	mark, err := os.Lstat(m.path)
	if err != nil {
		return
	}
	for _, lock := range locks {
		info, err := os.Lstat(lock)
		if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < lockTime {
			continue // its git may be running
		}
		after := info.ModTime().Sub(mark.ModTime())
		holds := strings.TrimSuffix(string(readSmall(lock)), "\n")
		if after >= 0 && after < lockTime && (holds == "" || holds == commit) {
			_ = os.Remove(lock)
		}
	}
}

func (m advancing) end() { _ = os.Remove(m.path) }

// restoreLost checks out files again that an interrupted move of a worktree left empty,
// written in part, or without their names: a kill, a power cut or a full disk does so, and
// they are no change of the user's.
func (r *Repo) restoreLost(ctx context.Context, p place, m move) error {
	touched, err := r.touched(ctx, p, m)
	if err != nil {
		return err
	}
	var lost []string
	for _, t := range touched {
		if t.state != written && !t.deleted {
			lost = append(lost, t.path)
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
	if _, err := r.git(ctx, tmp, "read-tree", m.commit); err != nil {
		return err
	}
	if err := r.checkOut(ctx, tmp, lost); err != nil {
		return ErrNotWritten{Tree: p.tree, Paths: lost, Full: disk.Full(p.tree, p.gitDir), Err: err}
	}
	return nil
}
