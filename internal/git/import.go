package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Imported is the result of ImportQuarantine.
type Imported struct {
	// Found reports that there was a quarantine.
	Found bool
	// Refused is the reason why commits made there were not imported; the files
	// of the worktree are as they are.
	Refused string
	// ExtraRefs are branches made there, besides the loop's, and the refs of
	// ralph's that keep them now.
	ExtraRefs []string
	// Moved is the previous commit of the branch if another process has moved it
	// meanwhile.
	Moved string
}

// ImportQuarantine ends what OpenQuarantine began, once every process there has
// ended: the commits on the branch and under HEAD become part of the repository,
// after git has named every object again by its content and has found everything
// they need. Unsound commits are left behind. Called again after a crash it
// completes.
func (r *Repo) ImportQuarantine(ctx context.Context, tree, dir, branch string) (done Imported, err error) {
	_ = os.RemoveAll(dir + ".done")
	lent, err := os.ReadFile(quarantineRecord(dir))
	if errors.Is(err, os.ErrNotExist) {
		return done, os.RemoveAll(dir) // no agent has worked there
	}
	if err != nil {
		return done, err
	}
	done.Found = true
	p, err := r.linked(tree)
	if errors.Is(err, ErrNotLinked) {
		p = place{} // the worktree is gone; its commits are not
	} else if err != nil {
		return done, err
	}
	if p.gitDir != "" {
		unlock(p.gitDir)
	}
	l := readQuarantine(dir, string(lent), branch)
	if err := r.receive(ctx, p, l, &done); err != nil {
		return done, err
	}
	if p.gitDir != "" && exists(p.tree) {
		if err := replaceFile(filepath.Join(p.tree, ".git"), dotGit(p)); err != nil {
			return done, err
		}
	}
	if err := os.Remove(quarantineRecord(dir)); err != nil {
		return done, err
	}
	// Renamed first: half of one would look like a damaged one.
	if err := os.Rename(dir, dir+".done"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return done, err
	}
	return done, os.RemoveAll(dir + ".done")
}

// receive imports objects, refs, HEAD and index, in this order.
func (r *Repo) receive(ctx context.Context, p place, l quarantine, done *Imported) error {
	was := l.refs[heads+l.branch]
	if l.head == "" {
		done.Refused = "HEAD cannot be read"
		return nil
	}
	if r.untouched(ctx, p, l, was) {
		return nil
	}
	index, err := r.absorb(ctx, p, l, was)
	if refused, ok := errors.AsType[*absorbError](err); ok && len(l.extra) > 0 {
		l.extra = nil // perhaps one of them is unsound
		if index, err = r.absorb(ctx, p, l, was); err == nil {
			done.Refused = "other branches: " + refused.Error()
		}
	}
	if refused, ok := errors.AsType[*absorbError](err); ok {
		done.Refused = refused.Error()
		return nil
	}
	if err != nil {
		return err
	}
	if err := r.Sync(); err != nil { // the objects, before a ref names them
		return err
	}
	if err := r.receiveRefs(ctx, p, &l, was, done); err != nil || p.gitDir == "" {
		return err
	}
	return r.receiveIndex(ctx, p, l, index)
}

// untouched reports that no commit was made, nothing staged, and the branch has
// not moved.
func (r *Repo) untouched(ctx context.Context, p place, l quarantine, was string) bool {
	if l.head != was || l.tip != was || l.onto != heads+l.branch || len(l.extra) > 0 {
		return false
	}
	if now, err := r.RefCommit(ctx, heads+l.branch); err != nil || now != was {
		return false
	}
	return p.gitDir == "" || bytes.Equal(readPlain(filepath.Join(p.gitDir, "index")), readPlain(filepath.Join(l.dir, "index")))
}

func (r *Repo) receiveRefs(ctx context.Context, p place, l *quarantine, was string, done *Imported) error {
	for _, ref := range slices.Sorted(maps.Keys(l.extra)) {
		keep := extraRef(l.dir, ref)
		if _, err := r.git(ctx, r.shared(), "update-ref", "--no-deref", keep, l.extra[ref]); err != nil {
			return err
		}
		done.ExtraRefs = append(done.ExtraRefs, strings.TrimPrefix(ref, heads)+" ("+keep+")")
	}
	moved, err := r.Reclaim(ctx, Claim{Branch: l.branch, Own: cmp.Or(l.tip, was), Was: was, Aside: extraRef(l.dir, "moved")})
	if err != nil {
		return err
	}
	done.Moved = moved
	if p.gitDir == "" {
		return r.Sync()
	}
	now, err := r.head(ctx, p)
	switch {
	case err == nil && (l.onto != "" && heads+now.Branch == l.onto || l.onto == "" && now.Branch == "" && now.Commit == l.head):
	case l.onto == heads+l.branch:
		_, err = r.git(ctx, place{gitDir: p.gitDir}, "symbolic-ref", "-m", "ralph", "HEAD", l.onto)
	default: // a branch of its own stays there; its commit does not
		_, err = r.git(ctx, place{gitDir: p.gitDir}, "update-ref", "--no-deref", "-m", "ralph", "HEAD", l.head)
	}
	return errors.Join(err, r.Sync())
}

// receiveIndex imports the index if all its objects were imported, else makes one of
// HEAD.
func (r *Repo) receiveIndex(ctx context.Context, p place, l quarantine, sound bool) error {
	if !sound {
		_, err := r.git(ctx, place{gitDir: p.gitDir, tree: p.tree}, "read-tree", "--reset", "HEAD")
		return err
	}
	to := filepath.Join(p.gitDir, "index")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return copyIndex(filepath.Join(l.dir, "index"), to)
}

// ExtraRefs is where branches are kept that an agent made for itself.
const ExtraRefs = ownRefs + "strays/"

// extraRef names the ref that keeps a ref of a quarantine, by its loop.
func extraRef(dir, ref string) string {
	return ExtraRefs + filepath.Base(filepath.Dir(dir)) + "/" + strings.TrimPrefix(strings.TrimPrefix(ref, heads), "refs/")
}

// quarantine is the content of a quarantine repository, read file by file: git
// never runs in it, since an agent may have configured it.
type quarantine struct {
	dir, branch string
	refs        map[string]string // refs as they were copied
	head, tip   string            // commits of HEAD and of the branch
	onto        string            // the ref under HEAD; "" when it is detached
	extra       map[string]string
}

func readQuarantine(dir, lent, branch string) quarantine {
	l := quarantine{dir: dir, branch: branch, refs: packedRefs(lent), extra: map[string]string{}}
	packed := packedRefs(string(readPlain(filepath.Join(dir, "packed-refs"))))
	at := strings.TrimSpace(string(readPlain(filepath.Join(dir, "HEAD"))))
	if ref, on := strings.CutPrefix(at, "ref: "); on {
		l.onto, l.head = ref, looseOr(dir, packed, ref)
	} else if isID(at) {
		l.head = at
	}
	l.tip = looseOr(dir, packed, heads+branch)
	all := maps.Clone(packed)
	for _, ref := range append(looseRefs(dir), "refs/stash") {
		all[ref] = looseOr(dir, packed, ref)
	}
	const most = 32
	for _, ref := range slices.Sorted(maps.Keys(all)) {
		own := ref == heads+branch || !strings.HasPrefix(ref, heads) && ref != "refs/stash"
		if id := all[ref]; own || id == "" || id == l.refs[ref] || id == l.head || id == l.tip || !validRef(extraRef(dir, ref)) || len(l.extra) == most {
			continue
		}
		l.extra[ref] = all[ref]
	}
	return l
}

// looseRefs returns the branches that have a file of their own.
func looseRefs(dir string) []string {
	var out []string
	root := filepath.Join(dir, "refs", "heads")
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && len(out) < 10_000 {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	return out
}

// looseOr returns the commit of a ref from its own file, else from the packed
// ones.
func looseOr(dir string, packed map[string]string, ref string) string {
	if !validRef(ref) {
		return ""
	}
	if id := strings.TrimSpace(string(readPlain(filepath.Join(dir, filepath.FromSlash(ref))))); isID(id) {
		return id
	}
	return packed[ref]
}

func packedRefs(text string) map[string]string {
	refs := map[string]string{}
	for line := range strings.Lines(text) {
		if id, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok && isID(id) {
			refs[ref] = id
		}
	}
	return refs
}

// readPlain returns the content of a regular file, and nothing for a link or a
// pipe.
func readPlain(path string) []byte {
	const most = 256 << 20
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	data, _ := os.ReadFile(path)
	return data
}

// absorbError is returned when the commits of a quarantine are unsound.
type absorbError struct{ why error }

func (e *absorbError) Error() string { return fmt.Sprintf("its commits cannot be imported: %v", e.why) }
func (e *absorbError) Unwrap() error { return e.why }
