package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// UpdateRef moves a full ref name from old to commit, durably. An empty old means
// that the ref must not exist. A ref at another commit is ErrRefMoved, unless it
// already is at commit: the same call twice is one move. The caller owns the run of
// a ref of ralph's: a lock on it is one that a killed git left.
func (r *Repo) UpdateRef(ctx context.Context, ref, commit, old string) error {
	r.unlockOwn(ref)
	// The objects first: a ref must never name what a power cut lost.
	if err := r.Sync(); err != nil {
		return err
	}
	if err := r.moveRef(ctx, r.shared(), ref, commit, old); err != nil {
		return err
	}
	return r.Sync()
}

// CreateBranch makes a new branch at commit.
func (r *Repo) CreateBranch(ctx context.Context, name, commit string) error {
	return r.UpdateRef(ctx, heads+name, commit, "")
}

// StartBranch creates a branch at a commit that is kept elsewhere. Its folder is not
// synced: a branch that is absent after a power cut is created again.
func (r *Repo) StartBranch(ctx context.Context, name, commit string) error {
	r.unlockOwn(heads + name)
	return r.moveRef(ctx, r.shared(), heads+name, commit, "")
}

// DeleteRef removes a ref that is at old. It refuses with ErrUnreachable when
// no other ref contains that commit.
func (r *Repo) DeleteRef(ctx context.Context, ref, old string) error {
	if kept, err := r.keptBesides(ctx, ref, old); err != nil {
		return err
	} else if !kept {
		return ErrUnreachable{ref, old}
	}
	return r.deleteRef(ctx, ref, old)
}

func (r *Repo) deleteRef(ctx context.Context, ref, old string) error {
	r.unlockOwn(ref)
	_, err := r.git(ctx, r.shared(), "update-ref", "--no-deref", "-d", ref, old)
	if err != nil {
		return r.whyNot(ctx, err, ref, old)
	}
	return r.Sync()
}

// ArchiveBranch renames a branch in one transaction. One that is checked out
// anywhere is ErrCheckedOut; a taken name is ErrRefMoved.
func (r *Repo) ArchiveBranch(ctx context.Context, name, to string) error {
	tip, where, err := r.branch(ctx, name)
	switch {
	case err != nil:
		return err
	case tip == "":
		return ErrUnknownRevision{name}
	case where != "":
		return ErrCheckedOut{name, where}
	case !validRef(heads + to):
		return ErrBadRefName{heads + to}
	}
	script := "start\x00create " + heads + to + "\x00" + tip + "\x00delete " + heads + name + "\x00" + tip + "\x00prepare\x00commit\x00"
	if _, err := r.feed(ctx, r.shared(), []byte(script), "update-ref", "--no-deref", "--stdin", "-z"); err != nil {
		return r.whyNot(ctx, err, heads+to, "")
	}
	return r.Sync()
}

// SetBranchAside renames a branch to archive/<branch>-<yyyymmdd-hhmmss>, with -2,
// -3 … when a branch of that name exists, and returns the new name.
func (r *Repo) SetBranchAside(ctx context.Context, branch string, at time.Time) (string, error) {
	return ArchiveName(branch, at, func(name string) error { return r.ArchiveBranch(ctx, branch, name) })
}

// ArchiveName calls create with the names archive/<branch>-<yyyymmdd-hhmmss>, -2,
// -3 … until one is not taken, and returns that one. Two branches that are set
// aside in the same second are both kept.
func ArchiveName(branch string, at time.Time, create func(name string) error) (name string, err error) {
	const most = 100
	base := "archive/" + branch + "-" + at.UTC().Format("20060102-150405")
	for n := 1; n <= most; n++ {
		name = base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		err = create(name)
		if _, taken := errors.AsType[ErrRefMoved](err); !taken {
			break
		}
	}
	if err != nil {
		return "", err
	}
	return name, nil
}

// RefCommit returns the commit of a full ref name; "" when it does not exist.
func (r *Repo) RefCommit(ctx context.Context, ref string) (string, error) {
	if !validRef(ref) {
		return "", ErrBadRefName{ref}
	}
	if f := r.readRef(ref); f.sure {
		if f.id == "" {
			return "", nil
		}
		if _, whole := r.looseTree(f.id); whole {
			return f.id, nil
		}
	}
	return r.resolve(ctx, ref, "^{commit}")
}

// shared is the place for refs that all worktrees share.
func (r *Repo) shared() place { return place{gitDir: r.CommonDir} }

// moveRef is UpdateRef without the syncs.
func (r *Repo) moveRef(ctx context.Context, p place, ref, commit, old string) error {
	if !validRef(ref) {
		return ErrBadRefName{ref}
	}
	from := old
	if from == "" {
		from = strings.Repeat("0", len(commit))
	}
	move := func(from string) error {
		_, err := r.git(ctx, p, "update-ref", "--no-deref", "--create-reflog", "-m", "ralph", ref, commit, from)
		return err
	}
	err := move(from)
	if err == nil {
		return nil
	}
	if exitCode(err) != -1 && r.DropBrokenRef(ref) {
		if err = move(strings.Repeat("0", len(commit))); err == nil {
			return nil
		}
	}
	err = r.whyNot(ctx, err, ref, old)
	if moved, ok := errors.AsType[ErrRefMoved](err); ok && moved.Have == commit {
		return nil
	}
	return err
}

// whyNot finds the reason for a refused ref update by inspection, not by git's
// message.
func (r *Repo) whyNot(ctx context.Context, refused error, ref, old string) error {
	if exitCode(refused) == -1 {
		return refused
	}
	have, err := r.resolve(ctx, ref, "")
	if err != nil {
		return err
	}
	if have != old {
		return ErrRefMoved{ref, old, have}
	}
	if blocking := r.blocking(ctx, ref); blocking != "" {
		return ErrBranchBlocks{strings.TrimPrefix(blocking, heads), strings.TrimPrefix(ref, heads)}
	}
	for _, lock := range []string{ref + ".lock", "packed-refs.lock"} {
		file := filepath.Join(r.CommonDir, filepath.FromSlash(lock))
		if _, err := os.Lstat(file); err == nil {
			return ErrLocked{file}
		}
	}
	return refused
}

// blocking finds a ref that is a prefix of ref, or below it.
func (r *Repo) blocking(ctx context.Context, ref string) string {
	args := []string{"for-each-ref", "--format=%(refname)"}
	for i, c := range ref {
		if c == '/' && i > len(heads) {
			args = append(args, ref[:i])
		}
	}
	out, _ := r.git(ctx, r.shared(), append(args, ref+"/")...)
	for line := range strings.Lines(string(out)) {
		// The pattern refs/heads/a finds a and all below it; only these can
		// block ref.
		name := strings.TrimSpace(line)
		if strings.HasPrefix(ref, name+"/") || strings.HasPrefix(name, ref+"/") {
			return name
		}
	}
	return ""
}

// branch returns a branch's tip and the worktree in which it is checked out.
func (r *Repo) branch(ctx context.Context, name string) (tip, where string, err error) {
	if !validRef(heads + name) {
		return "", "", ErrBadRefName{heads + name}
	}
	if f := r.readRef(heads + name); f.sure {
		if f.id == "" {
			return "", "", nil
		}
		if where, ok := r.checkedOut(name); ok {
			return f.id, where, nil
		}
	}
	out, err := r.git(ctx, r.shared(), "for-each-ref", "--format=%(refname)%00%(objectname)%00%(worktreepath)%00", heads+name)
	for rec := range strings.SplitSeq(string(out), "\x00\n") {
		f := strings.Split(rec, "\x00")
		if len(f) < 3 || f[0] != heads+name {
			continue
		}
		if where = f[2]; where == r.CommonDir {
			// git's answer for a bare repository, and for a submodule.
			where = r.MainRoot
		}
		return f[1], where, nil
	}
	return "", "", err
}

// keptBesides reports whether a ref other than this one contains the commit.
func (r *Repo) keptBesides(ctx context.Context, ref, commit string) (bool, error) {
	out, err := r.git(ctx, r.shared(), "for-each-ref", "--count=2", "--contains="+commit, "--format=%(refname)")
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(out)) {
		if strings.TrimSpace(line) != ref {
			return true, nil
		}
	}
	return false, nil
}

const heads = "refs/heads/"
