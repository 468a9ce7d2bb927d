package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Heal repairs a worktree of ralph's after a crash: the caller is its only owner
// and every process in it has ended. Files are kept wherever there are any:
// nothing there, or a half-made worktree, and a registration without a folder are
// made again from the branch; a folder with files but without a registration is
// registered again; stale locks and a broken .git file, HEAD or index are
// repaired in place.
//
// A lock on Branch itself is removed too, since Branch is ralph's.
func (r *Repo) Heal(ctx context.Context, w Worktree) error {
	path, err := realPath(w.Path)
	if err != nil {
		return err
	}
	if path == r.Root || path == r.MainRoot {
		return fmt.Errorf("%s: %w", path, ErrUsersTree)
	}
	w.Path = path
	r.unlockOwn(heads + w.Branch)
	r.dropUnborn(path)
	admin := r.adminDir(path)
	switch {
	case admin != "" && halfMade(admin):
		err = r.discard(path, admin)
	case admin != "" && holdsFiles(path):
		return r.repair(ctx, place{gitDir: admin, tree: path}, w)
	case admin != "":
		err = r.forget(admin)
	case holdsFiles(path):
		return r.adopt(ctx, w)
	}
	if err != nil {
		return err
	}
	if os.Remove(path) != nil { // an empty folder; else perhaps a lone .git
		if err := moveAside(filepath.Dir(path), path); err != nil {
			return err
		}
	}
	return r.AddWorktree(ctx, w)
}

// halfMade reports whether "worktree add" has not finished. No agent worked
// there.
func halfMade(admin string) bool {
	return strings.TrimSpace(string(readSmall(filepath.Join(admin, "locked")))) == initializing
}

// holdsFiles reports whether a folder holds more than a .git.
func holdsFiles(path string) bool {
	entries, _ := os.ReadDir(path)
	return len(entries) > 1 || len(entries) == 1 && entries[0].Name() != ".git"
}

// dropUnborn removes what a killed "worktree add" left before it recorded its
// path: no path leads there, and git itself never prunes it.
func (r *Repo) dropUnborn(path string) {
	ids, _ := filepath.Glob(filepath.Join(r.CommonDir, "worktrees", globEscape(filepath.Base(path))+"*"))
	for _, admin := range ids {
		if _, err := os.Lstat(filepath.Join(admin, "gitdir")); os.IsNotExist(err) && halfMade(admin) {
			os.RemoveAll(admin)
		}
	}
}

func globEscape(s string) string {
	return strings.NewReplacer("*", "\\*", "?", "\\?", "[", "\\[", "\\", "\\\\").Replace(s)
}

// discard removes a half-made worktree, its files set aside first.
func (r *Repo) discard(path, admin string) error {
	if err := moveAside(filepath.Dir(path), path); err != nil {
		return err
	}
	return r.forget(admin)
}

// forget removes the registration of a worktree whose folder is gone. "git
// worktree prune" would also forget the user's worktrees on absent disks.
func (r *Repo) forget(admin string) error {
	r.unseal(admin)
	if filepath.Dir(admin) != filepath.Join(r.CommonDir, "worktrees") {
		return fmt.Errorf("%s: %w", admin, ErrNotLinked)
	}
	return os.RemoveAll(admin)
}

// repair fixes the registration around files that stay as they are.
func (r *Repo) repair(ctx context.Context, p place, w Worktree) error {
	unlock(p.gitDir)
	if err := ground(p.gitDir); err != nil {
		return err
	}
	if string(readSmall(filepath.Join(p.tree, ".git"))) != dotGit(p) {
		if err := replaceFile(filepath.Join(p.tree, ".git"), dotGit(p)); err != nil {
			return err
		}
	}
	if _, err := r.head(ctx, p); err != nil {
		if err := r.repairHead(ctx, p, w); err != nil {
			return err
		}
	}
	if _, err := r.git(ctx, p, "ls-files", "--error-unmatch", "-z", "--cached", "."); exitCode(err) > 1 {
		os.Remove(filepath.Join(p.gitDir, "index"))
	}
	if _, err := os.Stat(filepath.Join(p.gitDir, "index")); err == nil {
		return nil
	}
	_, err := r.git(ctx, p, "read-tree", "HEAD")
	return err
}

// repairHead restores HEAD to the recorded value.
func (r *Repo) repairHead(ctx context.Context, p place, w Worktree) error {
	head := w.Commit
	if w.Branch != "" {
		if err := r.moveRef(ctx, r.shared(), heads+w.Branch, w.Commit, ""); err != nil {
			if tip, _, tipErr := r.branch(ctx, w.Branch); tipErr != nil || tip == "" {
				return err
			}
		}
		head = "ref: " + heads + w.Branch
	}
	return replaceFile(filepath.Join(p.gitDir, "HEAD"), head+"\n")
}

// adopt registers a folder again whose registration is gone: a new one is made
// beside it without files, and given to the folder.
func (r *Repo) adopt(ctx context.Context, w Worktree) error {
	beside := w
	beside.Path = w.Path + ".heal"
	if old := r.adminDir(beside.Path); old != "" {
		if err := r.forget(old); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(beside.Path); err != nil {
		return err
	}
	if err := r.AddWorktree(ctx, beside); err != nil {
		return err
	}
	admin := r.adminDir(beside.Path)
	r.unseal(admin)
	p := place{gitDir: admin, tree: w.Path}
	if err := replaceFile(filepath.Join(admin, "gitdir"), filepath.ToSlash(filepath.Join(w.Path, ".git"))+"\n"); err != nil {
		return err
	}
	if err := os.RemoveAll(beside.Path); err != nil {
		return err
	}
	return r.repair(ctx, p, w)
}
