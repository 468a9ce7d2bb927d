package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (f *fixture) newCommit(text string) string {
	f.t.Helper()
	tree, err := f.TreeOf(f.ctx(), f.base)
	if err != nil {
		f.t.Fatal(err)
	}
	id, err := f.commitTree(f.ctx(), tree, text, time.Time{}, f.base)
	if err != nil {
		f.t.Fatal(err)
	}
	return id
}

func TestRefsMoveOnlyFromWhereTheyAreKnown(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx, ref := t.Context(), "refs/heads/ralph/x"
	a, b := f.newCommit("a"), f.newCommit("b")
	if err := f.UpdateRef(ctx, ref, a, ""); err != nil {
		t.Fatal(err)
	}
	if err := f.UpdateRef(ctx, ref, a, ""); err != nil {
		t.Errorf("the same again: %v", err)
	}
	err := f.UpdateRef(ctx, ref, b, f.base)
	if diff := cmp.Diff(ErrRefMoved{ref, f.base, a}, asType[ErrRefMoved](err)); diff != "" {
		t.Error(diff)
	}
	if err := f.DeleteRef(ctx, ref, a); !errors.As(err, new(ErrUnreachable)) {
		t.Errorf("deleted the only way to a commit: %v", err)
	}
	if err := f.ArchiveBranch(ctx, "ralph/x", "archive/x"); err != nil {
		t.Fatal(err)
	}
	if err := f.ArchiveBranch(ctx, "ralph/x", "archive/x"); !errors.As(err, new(ErrUnknownRevision)) {
		t.Errorf("archived twice: %v", err)
	}
	if err := f.ArchiveBranch(ctx, "main", "archive/main"); !errors.As(err, new(ErrCheckedOut)) {
		t.Errorf("archived the checked-out branch: %v", err)
	}
	if err := f.CreateBranch(ctx, "taken", b); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)
	for _, want := range []string{"archive/ralph/z-20261122-010203", "archive/ralph/z-20261122-010203-2"} {
		if err := f.CreateBranch(ctx, "ralph/z", f.base); err != nil {
			t.Fatal(err)
		}
		if got, err := f.SetBranchAside(ctx, "ralph/z", at); err != nil || got != want {
			t.Errorf("set aside as %q, %v; want %s", got, err, want)
		}
	}
	if err := f.ArchiveBranch(ctx, "archive/x", "taken"); !errors.As(err, new(ErrRefMoved)) {
		t.Errorf("archived over another: %v", err)
	}
	if got, err := f.RefCommit(ctx, "refs/heads/archive/x"); err != nil || got != a {
		t.Errorf("archive/x at %q, %v", got, err)
	}
}

func asType[E error](err error) E {
	e, _ := errors.AsType[E](err)
	return e
}

// The ref belongs to no run: the owner of a run removes the locks on its refs.
func TestOneOfManyWinsARef(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var won atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		c := f.newCommit(strings.Repeat("x", i+1))
		all.Go(func() {
			switch err := f.UpdateRef(f.ctx(), "refs/heads/wip/race", c, ""); {
			case err == nil:
				won.Add(1)
			case !errors.As(err, new(ErrRefMoved)) && !errors.As(err, new(ErrLocked)):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d won", won.Load())
	}
}

func TestABranchBlocks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("branch", "ralph")
	f.git("branch", "other/deep/er")
	err := f.CreateBranch(t.Context(), "ralph/x", f.base)
	if diff := cmp.Diff(ErrBranchBlocks{"ralph", "ralph/x"}, asType[ErrBranchBlocks](err)); diff != "" {
		t.Error(err, diff)
	}
	err = f.CreateBranch(t.Context(), "other/deep", f.base)
	if diff := cmp.Diff(ErrBranchBlocks{"other/deep/er", "other/deep"}, asType[ErrBranchBlocks](err)); diff != "" {
		t.Error(err, diff)
	}
	err = f.AddWorktree(t.Context(), Worktree{Path: filepath.Join(f.root, "w"), Branch: "ralph/x", Commit: f.base})
	if asType[ErrBranchBlocks](err) == (ErrBranchBlocks{}) {
		t.Errorf("worktree: %v", err)
	}
	if exists(filepath.Join(f.root, "w")) {
		t.Error("a folder was left")
	}
}

func TestALockIsReported(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, name := range []string{"x", "wip/x"} { // of no run: another process may hold it
		lock := filepath.Join(f.dir, ".git/refs/heads", name+".lock")
		f.write(filepath.Dir(lock), "x.lock", "")
		if err := f.CreateBranch(t.Context(), name, f.base); asType[ErrLocked](err).File != lock {
			t.Errorf("%s: %v", name, err)
		}
		if !exists(lock) {
			t.Errorf("%s: the lock was removed", name)
		}
	}
}

func TestFailureRef(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	at := time.Date(2026, 1, 21, 10, 30, 45, 0, time.FixedZone("x", 3600))
	kept := func(loop string) Failure {
		c := f.newCommit(withTrailers("failed "+loop, []Trailer{{LoopTrailer, loop}}))
		return Failure{Loop: loop, Task: "auth", Time: at, Commit: c}
	}
	one, two := kept("one"), kept("two")
	want := "wip/ralph-fail-auth-20260121-093045"
	for _, step := range []struct {
		f    Failure
		want string
	}{{one, want}, {one, want}, {two, want + "-2"}, {kept("two"), want + "-2"}, {kept("three"), want + "-3"}, {one, want}} {
		if got, err := f.FailureRef(ctx, step.f); err != nil || got != step.want {
			t.Errorf("%s: %s, %v; want %s", step.f.Loop, got, err, step.want)
		}
	}
	for _, task := range []string{"../x", "🙂", "", strings.Repeat("long", 2500), "a.lock", "-rf", "x\ny", "@{u}"} {
		hard := one
		hard.Task = task
		if _, err := f.FailureRef(ctx, hard); err != nil {
			t.Errorf("%.20q: %v", task, err)
		}
	}
	f.git("branch", "wip2")
	left, _ := os.ReadDir(f.root)
	if len(left) != 0 {
		t.Errorf("%v", left)
	}
}

func TestValidRefPart(t *testing.T) {
	t.Parallel()
	for _, plain := range []string{"auth", "T-1.2_b", "x", strings.Repeat("x", maxRefPart), "unnamed"} {
		if got := validRefPart(plain); got != plain {
			t.Errorf("%q → %q", plain, got)
		}
	}
	seen := map[string]string{}
	for _, in := range []string{
		"../x", "", "🙂", "a b", "a/b", ".hidden", "x.lock", "a..b", "@{u}", "-x", "x.", "\x00", "größe", "..", ".lock",
		strings.Repeat("x", maxRefPart+1), strings.Repeat("x", 10000), strings.Repeat(".", 10000),
	} {
		got := validRefPart(in)
		if !validRef("refs/heads/ralph/"+got) || len(got) > maxRefPart || got == in || validRefPart(got) != got {
			t.Errorf("%.20q → %q", in, got)
		}
		if other, met := seen[got]; met {
			t.Errorf("%.20q and %.20q meet in %s", in, other, got)
		}
		seen[got] = in
	}
}

func FuzzValidRefPart(f *testing.F) {
	for _, s := range []string{"auth", "../x", "", "a.lock", "@{", "é", strings.Repeat("x", 10000), "a\x00b", ".", "x.lock.lock"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := validRefPart(s)
		if !validRef("refs/heads/"+p) || !validRef("refs/heads/ralph/"+p+"/x") || len(p) > maxRefPart || strings.Contains(p, "/") {
			t.Errorf("%q → %q", s, p)
		}
		if validRefPart(p) != p {
			t.Errorf("%q is not stable", p)
		}
	})
}

func FuzzParseStatus(f *testing.F) {
	f.Add([]byte("# branch.oid (initial)\x00# branch.head main\x00? a\x00"))
	f.Add([]byte("1 .M N... 100644 100644 100644 aa bb a b\x00u UU N... 1 2 3 4 a b c p\x00"))
	f.Add([]byte("1 \x00?\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseStatus(b)
		for _, e := range s.entries {
			if err == nil && e.path == "" && len(b) == 0 {
				t.Error("an entry from nothing")
			}
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("local\x00filter.x.y.clean\na\nb\x00global\x00user.name\nx\x00local\x00core.bare\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { parseConfig(b) })
}
