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

// Returned is what TakeBack found in a repository that was lent.
type Returned struct {
	// Lent says that there was one.
	Lent bool
	// Refused says why commits that were made there were not taken; the files
	// of the worktree are as they are.
	Refused string
	// Strays are branches made there, besides the loop's, and the refs of ours
	// that keep them now.
	Strays []string
	// Moved is where the branch stood that somebody else moved meanwhile.
	Moved string
}

// TakeBack ends what Lend began, once nobody works there any more: the commits
// on the branch and under HEAD become part of the repository, after git has
// named every object again by its content and has found all that they need. What
// does not hold is left behind. Called again after a crash it completes it.
func (r *Repo) TakeBack(ctx context.Context, tree, dir, branch string) (done Returned, err error) {
	_ = os.RemoveAll(dir + ".done")
	lent, err := os.ReadFile(lentRecord(dir))
	if errors.Is(err, os.ErrNotExist) {
		return done, os.RemoveAll(dir) // nobody has worked there
	}
	if err != nil {
		return done, err
	}
	done.Lent = true
	p, err := r.linked(tree)
	if errors.Is(err, ErrNotLinked) {
		p = place{} // the worktree is gone; its commits are not
	} else if err != nil {
		return done, err
	}
	if p.gitDir != "" {
		unlock(p.gitDir)
	}
	l := readLoan(dir, string(lent), branch)
	if err := r.receive(ctx, p, l, &done); err != nil {
		return done, err
	}
	if p.gitDir != "" && exists(p.tree) {
		if err := replaceFile(filepath.Join(p.tree, ".git"), dotGit(p)); err != nil {
			return done, err
		}
	}
	if err := os.Remove(lentRecord(dir)); err != nil {
		return done, err
	}
	// Aside first: half of one would look like one that was damaged.
	if err := os.Rename(dir, dir+".done"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return done, err
	}
	return done, os.RemoveAll(dir + ".done")
}

// receive takes objects, refs, HEAD and index, in this order.
func (r *Repo) receive(ctx context.Context, p place, l loan, done *Returned) error {
	was := l.lent[heads+l.branch]
	if l.head == "" {
		done.Refused = "HEAD cannot be read"
		return nil
	}
	if r.untouched(ctx, p, l, was) {
		return nil
	}
	index, err := r.absorb(ctx, p, l, was)
	if refused, ok := errors.AsType[*absorbError](err); ok && len(l.strays) > 0 {
		l.strays = nil // perhaps one of them is what does not hold
		if index, err = r.absorb(ctx, p, l, was); err == nil {
			done.Refused = "of other branches: " + refused.Error()
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

// untouched: no commit was made, nothing staged, and nobody moved the branch.
func (r *Repo) untouched(ctx context.Context, p place, l loan, was string) bool {
	if l.head != was || l.tip != was || l.onto != heads+l.branch || len(l.strays) > 0 {
		return false
	}
	if now, err := r.RefCommit(ctx, heads+l.branch); err != nil || now != was {
		return false
	}
	return p.gitDir == "" || bytes.Equal(readPlain(filepath.Join(p.gitDir, "index")), readPlain(filepath.Join(l.dir, "index")))
}

func (r *Repo) receiveRefs(ctx context.Context, p place, l *loan, was string, done *Returned) error {
	for _, ref := range slices.Sorted(maps.Keys(l.strays)) {
		keep := strayRef(l.dir, ref)
		if _, err := r.git(ctx, r.shared(), "update-ref", "--no-deref", keep, l.strays[ref]); err != nil {
			return err
		}
		done.Strays = append(done.Strays, strings.TrimPrefix(ref, heads)+" ("+keep+")")
	}
	moved, err := r.Reclaim(ctx, Claim{Branch: l.branch, Own: cmp.Or(l.tip, was), Was: was, Aside: strayRef(l.dir, "moved")})
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

// receiveIndex takes the index where all that it names has come along, else
// makes one of HEAD.
func (r *Repo) receiveIndex(ctx context.Context, p place, l loan, sound bool) error {
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

// StrayRefs is where branches are kept that an agent made for itself.
const StrayRefs = ownRefs + "strays/"

// strayRef names what keeps a ref of a loan: by the loop that it is lent to.
func strayRef(dir, ref string) string {
	return StrayRefs + filepath.Base(filepath.Dir(dir)) + "/" + strings.TrimPrefix(strings.TrimPrefix(ref, heads), "refs/")
}

// loan is what stands in a lent repository, read file by file: git is never
// started in it, since whoever worked there may have configured it.
type loan struct {
	dir, branch string
	lent        map[string]string // refs as they were lent
	head, tip   string            // commits of HEAD and of the branch
	onto        string            // the ref under HEAD; "" when it is detached
	strays      map[string]string
}

func readLoan(dir, lent, branch string) loan {
	l := loan{dir: dir, branch: branch, lent: packedRefs(lent), strays: map[string]string{}}
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
		if id := all[ref]; own || id == "" || id == l.lent[ref] || id == l.head || id == l.tip || !validRef(strayRef(dir, ref)) || len(l.strays) == most {
			continue
		}
		l.strays[ref] = all[ref]
	}
	return l
}

// looseRefs are the branches that have a file of their own.
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

// looseOr is the commit of a ref: of its own file, else of the packed ones.
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

// readPlain is the content of a file that is one, and no link to another or a
// pipe; nothing of anything else.
func readPlain(path string) []byte {
	const most = 256 << 20
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	data, _ := os.ReadFile(path)
	return data
}

// absorbError says that what was made in a lent repository does not hold.
type absorbError struct{ why error }

func (e *absorbError) Error() string { return fmt.Sprintf("its commits cannot be taken: %v", e.why) }
func (e *absorbError) Unwrap() error { return e.why }
