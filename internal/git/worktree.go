package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Worktree is one linked worktree as its owner recorded it.
type Worktree struct {
	Path string
	// Branch is checked out there; "" means detached at Commit.
	Branch string
	// Commit is where Branch starts when it does not exist yet.
	Commit string
}

// AddWorktree creates a linked worktree, and its branch where it is missing. An
// existing branch is checked out where it is. A ref that blocks the branch's name
// is ErrBranchBlocks, another worktree that has it is ErrCheckedOut.
func (r *Repo) AddWorktree(ctx context.Context, w Worktree) error {
	path, err := realPath(w.Path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	w.Path = path
	if err := r.register(ctx, w); err != nil {
		return err
	}
	p := place{gitDir: r.adminDir(path), tree: path, whole: w.Branch == ""}
	if _, err := r.git(ctx, p, "reset", "--hard", "--quiet", "--no-recurse-submodules"); err != nil {
		return fmt.Errorf("fill worktree %s: %w", path, err)
	}
	if err := os.Remove(filepath.Join(p.gitDir, "locked")); err != nil {
		return fmt.Errorf("complete worktree %s: %w", path, err)
	}
	if w.Branch == "" {
		r.seal(p)
	}
	return nil
}

// initializing marks a worktree that is not filled yet, as git itself does.
const initializing = "initializing"

// register creates a worktree without its files. One at a time: git fails when it
// meets another one's half-written registration. Checking out the files takes
// longer and runs concurrently.
func (r *Repo) register(ctx context.Context, w Worktree) error {
	r.known.registering.Lock()
	defer r.known.registering.Unlock()
	args := []string{"worktree", "add", "--quiet", "--no-checkout", "--lock", "--reason", initializing}
	if w.Branch == "" {
		args = append(args, "--detach", w.Path, w.Commit)
	} else if err := r.ensureBranch(ctx, w); err != nil {
		return err
	} else {
		args = append(args, w.Path, w.Branch)
	}
	if _, err := r.git(ctx, place{gitDir: r.CommonDir, whole: w.Branch == ""}, args...); err != nil {
		return fmt.Errorf("add worktree %s: %w", w.Path, err)
	}
	return nil
}

// ensureBranch creates the branch where it is missing. Most times it exists.
func (r *Repo) ensureBranch(ctx context.Context, w Worktree) error {
	tip, where, err := r.branch(ctx, w.Branch)
	switch {
	case err != nil:
		return err
	case where != "":
		return ErrCheckedOut{w.Branch, where}
	case tip != "":
		return nil
	}
	err = r.StartBranch(ctx, w.Branch, w.Commit)
	if _, exists := errors.AsType[ErrRefMoved](err); exists {
		return nil // made meanwhile
	}
	return err
}

// EnsureWorktree makes the worktree exist and usable after any crash. A sound one
// stays unchanged.
func (r *Repo) EnsureWorktree(ctx context.Context, w Worktree) error {
	if p, err := r.linked(w.Path); err == nil && r.sound(ctx, p) {
		return nil
	} else if errors.Is(err, ErrUsersTree) {
		return err
	}
	return r.Heal(ctx, w)
}

// sound reports whether a worktree is complete and without stale locks.
func (r *Repo) sound(ctx context.Context, p place) bool {
	for _, bad := range []string{"locked", "index.lock", "HEAD.lock"} {
		if _, err := os.Lstat(filepath.Join(p.gitDir, bad)); err == nil {
			return false
		}
	}
	if string(readSmall(filepath.Join(p.tree, ".git"))) != dotGit(p) {
		return false
	}
	if _, err := os.Stat(filepath.Join(p.gitDir, "index")); err != nil {
		return false
	}
	_, err := r.head(ctx, p)
	return err == nil
}

func dotGit(p place) string { return "gitdir: " + filepath.ToSlash(p.gitDir) + "\n" }
