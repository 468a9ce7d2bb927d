package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ralph/internal/testing/runnable"
)

// TestRemote: a ref of a remote moves by compare-and-swap, and its commits come back. A
// hook of this repository does not run.
func TestRemote(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx, dir := t.Context(), t.TempDir()
	url := filepath.Join(dir, "remote.git")
	f.gitIn(dir, "init", "-q", "--bare", url)
	clone := func(name string) Remote {
		work := filepath.Join(dir, name)
		f.gitIn(dir, "init", "-q", work)
		f.gitIn(work, "commit", "-q", "--allow-empty", "-m", name)
		hook := filepath.Join(work, ".git", "hooks", "pre-push")
		if err := os.MkdirAll(filepath.Dir(hook), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := runnable.Write(hook, "#!/bin/sh\nexit 1\n"); err != nil {
			t.Fatal(err)
		}
		r, err := OpenEnv(ctx, work, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		return Remote{r, url, os.Environ()}
	}
	one, two := clone("one"), clone("two")
	head := func(m Remote) string {
		h, err := m.Repo.Head(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return h.Commit
	}
	const ref = "refs/heads/ralph/a"
	if tip, err := one.Tip(ctx, ref); err != nil || tip != "" {
		t.Fatalf("%q, %v", tip, err)
	}
	for range 2 { // the second time it is there already
		if err := one.Push(ctx, ref, head(one), ""); err != nil {
			t.Fatal(err)
		}
	}
	err := two.Push(ctx, ref, head(two), "")
	if moved, is := errors.AsType[ErrRefMoved](err); !is || moved.Have != head(one) {
		t.Errorf("another one has it: %v", err)
	}
	if err := two.Push(ctx, ref, head(two), head(one)); err != nil {
		t.Error(err)
	}
	if got, err := one.Fetch(ctx, ref, "refs/ralph/remote/a"); err != nil || got != head(two) {
		t.Errorf("fetched %q, %v", got, err)
	}
	if _, err := one.Fetch(ctx, ref, "refs/heads/main"); err == nil {
		t.Error("a branch of the user's was written")
	}
	gone := one
	gone.URL = filepath.Join(dir, "gone.git")
	if err := gone.Push(ctx, ref, head(one), ""); err == nil {
		t.Error("a remote that is not there accepted a push")
	} else if _, moved := errors.AsType[ErrRefMoved](err); moved {
		t.Errorf("a remote that is not there: %v", err)
	}
}

// TestFetchBranches: the branches of a remote are here with their commits, those of an earlier
// call are not, and a commit is held by the others only.
func TestFetchBranches(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx, dir := t.Context(), t.TempDir()
	url, work := filepath.Join(dir, "remote.git"), filepath.Join(dir, "work")
	f.gitIn(dir, "init", "-q", "--bare", url)
	f.gitIn(dir, "init", "-q", "-b", "main", work)
	f.gitIn(work, "commit", "-q", "--allow-empty", "-m", "base")
	f.gitIn(work, "push", "-q", url, "main", "main:old")
	r, err := OpenEnv(ctx, f.dir, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	m := Remote{r, url, os.Environ()}
	names := func() (out []string) {
		t.Helper()
		all, err := m.FetchBranches(ctx, "refs/ralph/heads")
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			if got, err := r.ResolveCommit(ctx, b.Tip); err != nil || got != b.Tip {
				t.Errorf("%s: %q, %v", b.Name, got, err)
			}
			out = append(out, b.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"main", "old"}) {
		t.Errorf("%q", got)
	}
	f.gitIn(work, "push", "-q", url, ":old")
	f.gitIn(work, "commit", "-q", "--allow-empty", "-m", "work")
	f.gitIn(work, "push", "-q", url, "main:ralph/a")
	if got := names(); !slices.Equal(got, []string{"main", "ralph/a"}) {
		t.Errorf("%q", got)
	}
	tips, err := m.FetchBranches(ctx, "refs/ralph/heads")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		commit string
		but    string
		held   bool
	}{{tips[0].Tip, "main", true}, {tips[1].Tip, "ralph/a", false}, {tips[1].Tip, "main", true}} {
		held, err := r.HeldBelow(ctx, c.commit, "refs/ralph/heads", map[string]bool{c.but: true})
		if held != c.held || err != nil {
			t.Errorf("%s without %s: held %v, %v", c.commit, c.but, held, err)
		}
	}
	if _, err := m.FetchBranches(ctx, "refs/heads"); err == nil {
		t.Error("the branches of the user were replaced")
	}
}
