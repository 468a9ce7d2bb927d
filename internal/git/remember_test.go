package git

import (
	"os"
	"path/filepath"
	"testing"
)

// Remembered results agree with git.
func TestRemembered(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "1")
	first, _ := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	f.write(wt, "x", "2")
	second, _ := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	fresh := f.open(f.dir)
	for _, c := range []string{f.base, first, second} {
		for range 2 { // the second time from memory
			mine, err := f.TreeOf(t.Context(), c)
			theirs, err2 := fresh.TreeOf(t.Context(), c)
			if mine != theirs || mine != f.git("rev-parse", c+"^{tree}") || err != nil || err2 != nil {
				t.Errorf("tree of %s: %q and %q, %v, %v", c, mine, theirs, err, err2)
			}
		}
		for _, base := range []string{f.base, first, second} {
			mine, err := f.IsAncestor(t.Context(), base, c)
			theirs, err2 := fresh.IsAncestor(t.Context(), base, c)
			if mine != theirs || err != nil || err2 != nil {
				t.Errorf("%s in %s: %v and %v, %v, %v", base, c, mine, theirs, err, err2)
			}
		}
	}
	if _, err := f.IsAncestor(t.Context(), "", first); err == nil {
		t.Error("no name at all is contained in a commit")
	}
}

func TestBranchOf(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	look := func(want string) {
		t.Helper()
		if got, err := f.BranchOf(t.Context(), wt); got != want || err != nil {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	look("ralph/w")
	f.gitIn(wt, "checkout", "-q", "-b", "deep/er")
	look("deep/er")
	f.gitIn(wt, "checkout", "-q", "--detach")
	look("")
	f.gitIn(wt, "checkout", "-q", "--orphan", "unborn")
	look("unborn")
	head := filepath.Join(f.dir, ".git", "worktrees", "w", "HEAD")
	if err := os.Remove(head); err != nil {
		t.Fatal(err)
	}
	if got, err := f.BranchOf(t.Context(), wt); err == nil {
		t.Errorf("without a HEAD: %q", got)
	}
}
