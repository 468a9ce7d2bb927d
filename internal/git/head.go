package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Head is the branch and commit of a tree.
type Head struct {
	// Branch is the short name; "" when HEAD is detached.
	Branch string
	Commit string
}

// Head returns that of the caller's own tree. A branch without commits is
// ErrUnborn, and Branch still names it.
func (r *Repo) Head(ctx context.Context) (Head, error) { return r.head(ctx, r.home()) }

// BranchOf returns the branch that HEAD of a worktree names; "" when it is
// detached. It reads the file itself, like git; only for other ref formats it
// starts a process.
func (r *Repo) BranchOf(ctx context.Context, tree string) (string, error) {
	p, err := r.at(tree)
	if err != nil {
		return "", err
	}
	head := strings.TrimSuffix(string(readSmall(filepath.Join(p.gitDir, "HEAD"))), "\n")
	name, onRef := strings.CutPrefix(head, "ref: "+heads)
	switch {
	case onRef && name != ".invalid": // what reftable writes there
		return name, nil
	case isID(head):
		return "", nil
	}
	h, err := r.head(ctx, p)
	return h.Branch, err
}

// HeadOf returns the Head of any worktree of the repository.
func (r *Repo) HeadOf(ctx context.Context, tree string) (Head, error) {
	p, err := r.at(tree)
	if err != nil {
		return Head{}, err
	}
	return r.head(ctx, p)
}

func (r *Repo) head(ctx context.Context, p place) (Head, error) {
	if h, ok := r.readHead(p); ok {
		return h, nil
	}
	out, err := r.line(ctx, p, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
	if cutOff(err) {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	if err != nil {
		name, symErr := r.line(ctx, p, "symbolic-ref", "-q", "HEAD")
		if symErr != nil {
			return Head{}, fmt.Errorf("read HEAD: %w", err)
		}
		return Head{Branch: strings.TrimPrefix(name, heads)}, fmt.Errorf("%s: %w", name, ErrUnborn)
	}
	id, name, _ := strings.Cut(out, "\n")
	branch, onBranch := strings.CutPrefix(name, heads)
	if !onBranch {
		branch = ""
	}
	return Head{Branch: branch, Commit: id}, nil
}

// ResolveCommit returns the full id of the commit that a name stands for.
func (r *Repo) ResolveCommit(ctx context.Context, rev string) (string, error) {
	if _, whole := r.looseTree(rev); whole {
		return rev, nil
	}
	id, err := r.resolve(ctx, rev, "^{commit}")
	if err == nil && id == "" {
		return "", ErrUnknownRevision{rev}
	}
	return id, err
}

// TreeOf returns the id of a commit's tree: equal trees have equal files.
func (r *Repo) TreeOf(ctx context.Context, commit string) (string, error) {
	if m, ok := r.recall(commit); ok {
		return m.tree, nil
	}
	if m, ok := r.commitOf(commit); ok {
		return m.tree, nil
	}
	id, err := r.resolve(ctx, commit, "^{tree}")
	if err == nil && id == "" {
		return "", ErrUnknownRevision{commit}
	}
	if err == nil && isID(commit) {
		r.remember(commit, made{tree: id})
	}
	return id, err
}

// resolve returns "" for an unknown name.
func (r *Repo) resolve(ctx context.Context, rev, peel string) (string, error) {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n") {
		return "", nil
	}
	id, err := r.line(ctx, r.bare(), "rev-parse", "--verify", "--quiet", rev+peel)
	if code := exitCode(err); code == 1 || code == 128 {
		return "", nil
	}
	return id, err
}

// bare is the place for work on objects and shared refs: it has no tree and no
// HEAD of a worktree that could be damaged.
func (r *Repo) bare() place { return place{gitDir: r.gitDir, reads: true} }

// at returns the place of one of the repository's trees; "" is the caller's.
func (r *Repo) at(tree string) (place, error) {
	if tree == "" || tree == r.Root {
		return r.home(), nil
	}
	real, err := realPath(tree)
	if err != nil {
		return place{}, err
	}
	switch real {
	case r.Root:
		return r.home(), nil
	case r.MainRoot:
		return place{gitDir: r.CommonDir, tree: r.MainRoot, reads: true}, nil
	}
	p, err := r.linked(real)
	p.reads = true
	return p, err
}

// linked returns the place of a worktree that belongs to ralph alone.
func (r *Repo) linked(path string) (place, error) {
	path, err := realPath(path)
	if err != nil {
		return place{}, err
	}
	if path == r.Root || path == r.MainRoot {
		return place{}, fmt.Errorf("%s: %w", path, ErrUsersTree)
	}
	admin := r.adminDir(path)
	if admin == "" {
		return place{}, fmt.Errorf("%s: %w", path, ErrNotLinked)
	}
	return place{gitDir: admin, tree: path}, ground(admin)
}

// ground ties a worktree's registration to this repository: git finds refs
// through its commondir file regardless of GIT_COMMON_DIR, and an agent can write
// another repository into it.
func ground(admin string) error {
	const common = "../..\n"
	file := filepath.Join(admin, "commondir")
	if string(readSmall(file)) == common {
		return nil
	}
	return replaceFile(file, common)
}

// replaceFile puts a file with this content in the place of whatever is there, on
// disk before it gets its name: a link is not followed.
func replaceFile(path, content string) error {
	half := path + ".ralph"
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := writeSynced(half, content); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return os.Rename(half, path)
}

// writeSynced creates a file that is on disk when it returns.
func writeSynced(path, content string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// adminDir finds the folder in <common>/worktrees that claims path. The .git file
// in the tree only hints at where to look first: an agent can write anything
// there.
func (r *Repo) adminDir(path string) string {
	dotGit := filepath.Join(path, ".git")
	if hint, ok := strings.CutPrefix(strings.TrimSpace(string(readSmall(dotGit))), "gitdir: "); ok {
		id := filepath.Base(hint)
		if admin := filepath.Join(r.CommonDir, "worktrees", id); pointsTo(admin, dotGit) {
			return admin
		}
	}
	entries, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, e := range entries {
		if admin := filepath.Join(r.CommonDir, "worktrees", e.Name()); pointsTo(admin, dotGit) {
			return admin
		}
	}
	return ""
}

func pointsTo(admin, dotGit string) bool {
	if st, err := os.Lstat(admin); err != nil || !st.IsDir() {
		return false // a link would lead the registration out of the repository
	}
	to := strings.TrimSpace(string(readSmall(filepath.Join(admin, "gitdir"))))
	if to == "" {
		return false
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(admin, to)
	}
	return filepath.Clean(filepath.FromSlash(to)) == dotGit
}

// realPath resolves links in the folders above path, which itself may be missing
// or anything.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	// A missing path will be created behind the links on the way to it.
	for dir, rest := filepath.Dir(path), filepath.Base(path); ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil || !os.IsNotExist(err) {
			return filepath.Join(real, rest), err
		}
		if dir == filepath.Dir(dir) {
			return path, nil
		}
	}
}
