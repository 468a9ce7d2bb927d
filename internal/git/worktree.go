package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
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
	if h, err := r.head(ctx, p); err == nil {
		r.seal(p, h.Commit)
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
	head := w.Commit
	if w.Branch != "" {
		if err := r.ensureBranch(ctx, w); err != nil {
			return err
		}
		head = "ref: " + heads + w.Branch
	}
	if _, err := os.Lstat(filepath.Join(r.CommonDir, "reftable")); err == nil {
		return r.linkByGit(ctx, w)
	}
	if err := r.link(w.Path, head); err != nil {
		return fmt.Errorf("add worktree %s: %w", w.Path, err)
	}
	return nil
}

// link does what "git worktree add --no-checkout --lock" does, except that all of
// the registration is on disk before it gets its name. git writes the files one by
// one and syncs none; where a power cut empties one of them, git fails for every
// worktree of the repository.
func (r *Repo) link(tree, head string) error {
	if err := os.Mkdir(tree, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if there, err := os.ReadDir(tree); err != nil || len(there) > 0 {
		return cmp.Or(err, fs.ErrExist)
	}
	all := filepath.Join(r.CommonDir, "worktrees")
	if err := os.MkdirAll(all, 0o777); err != nil {
		return err
	}
	half, err := os.MkdirTemp(r.CommonDir, "ralph-worktree-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(half)
	err = os.Chmod(half, 0o755)
	for name, content := range map[string]string{
		"HEAD": head, "commondir": "../..", "gitdir": filepath.ToSlash(filepath.Join(tree, ".git")), "locked": initializing,
	} {
		err = errors.Join(err, writeSynced(filepath.Join(half, name), content+"\n"))
	}
	if err != nil {
		return err
	}
	// A registration that is complete but for its tree is harmless.
	admin := ""
	for n := 0; ; n++ {
		admin = filepath.Join(all, filepath.Base(tree))
		if n > 0 {
			admin += strconv.Itoa(n)
		}
		if _, err := os.Lstat(admin); err == nil {
			continue
		}
		if err := os.Rename(half, admin); err == nil {
			break
		} else if !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
			return err
		}
	}
	return writeSynced(filepath.Join(tree, ".git"), dotGit(place{gitDir: admin}))
}

// linkByGit serves repositories whose refs are no files: there a worktree has a
// table of refs too, which only git can make.
func (r *Repo) linkByGit(ctx context.Context, w Worktree) error {
	args := []string{"worktree", "add", "--quiet", "--no-checkout", "--lock", "--reason", initializing}
	if w.Branch == "" {
		args = append(args, "--detach", w.Path, w.Commit)
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
	if _, err := os.Stat(filepath.Join(p.gitDir, "index")); err != nil || emptyIndex(p.gitDir) {
		return false
	}
	_, err := r.head(ctx, p)
	return err == nil
}

func dotGit(p place) string { return "gitdir: " + filepath.ToSlash(p.gitDir) + "\n" }
