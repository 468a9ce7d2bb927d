package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// side commits one file on a branch of its own from base.
func (f *fixture) side(branch, file, content string) string {
	f.t.Helper()
	wt := f.worktree(strings.ReplaceAll(branch, "/", "-"), branch)
	f.write(wt, file, content)
	id, _ := f.commit(wt, CommitOptions{})
	return id
}

func TestMerge(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	f.write(f.dir, ".git/info/attributes", "* merge=evil\n")
	f.git("config", "merge.evil.driver", "touch "+filepath.Join(f.home, "ran"))
	f.write(f.dir, "long.txt", "1\n2\n3\n4\n5\n6\n7\n")
	f.git("add", "-A")
	f.git("commit", "-qm", "long")
	f.base = f.git("rev-parse", "HEAD")
	ours := f.side("ours", "long.txt", "one\n2\n3\n4\n5\n6\n7\n")
	theirs := f.side("theirs", "long.txt", "1\n2\n3\n4\n5\n6\nseven\n")
	against := f.side("against", "long.txt", "uno\n2\n3\n4\n5\n6\n7\n")

	if m, err := f.Merge(ctx, f.base, ours, Message{}); err != nil || m != (Merged{ours, true}) {
		t.Errorf("fast-forward: %+v, %v", m, err)
	}
	if m, err := f.Merge(ctx, ours, f.base, Message{}); err != nil || m != (Merged{ours, true}) {
		t.Errorf("already there: %+v, %v", m, err)
	}
	m, err := f.Merge(ctx, ours, theirs, Message{Text: "both"})
	if err != nil || m.FastForward {
		t.Fatalf("%+v, %v", m, err)
	}
	if b, err := f.FileAt(ctx, m.Commit, "long.txt"); err != nil || string(b) != "one\n2\n3\n4\n5\n6\nseven\n" {
		t.Errorf("%q, %v", b, err)
	}
	if got := f.git("log", "-1", "--format=%P", m.Commit); got != ours+" "+theirs {
		t.Errorf("parents %s", got)
	}
	_, err = f.Merge(ctx, ours, against, Message{})
	if diff := cmp.Diff([]string{"long.txt"}, asType[ErrConflict](err).Paths); diff != "" {
		t.Errorf("%v%s", err, diff)
	}
	f.write(f.dir, ".gitattributes", "")
	binOurs, binTheirs := f.side("b1", "bin", "\x00a"), f.side("b2", "bin", "\x00b")
	if _, err = f.Merge(ctx, binOurs, binTheirs, Message{}); asType[ErrConflict](err).Paths == nil {
		t.Errorf("binary: %v", err)
	}
	if exists(filepath.Join(f.home, "ran")) {
		t.Error("the merge driver ran")
	}
}

func TestAdvanceBranch(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before func(f *fixture)
		dirty  []string
		status string // after a success
	}{
		"clean":             {func(*fixture) {}, nil, ""},
		"dirty elsewhere":   {func(f *fixture) { f.write(f.dir, "dir/b.txt", "mine\n"); f.write(f.dir, "u", "u") }, nil, " M dir/b.txt\n?? u"},
		"staged elsewhere":  {func(f *fixture) { f.write(f.dir, "s", "s"); f.git("add", "s") }, nil, "A  s"},
		"touched only":      {func(f *fixture) { f.write(f.dir, "a.txt", "alpha\n") }, nil, ""},
		"half done before":  {func(f *fixture) { f.write(f.dir, "a.txt", "new\n"); f.write(f.dir, "added/x", "added\n") }, nil, ""},
		"dirty":             {func(f *fixture) { f.write(f.dir, "a.txt", "mine\n") }, []string{"a.txt"}, ""},
		"staged":            {func(f *fixture) { f.write(f.dir, "a.txt", "mine\n"); f.git("add", "-A") }, []string{"a.txt"}, ""},
		"deleted":           {func(f *fixture) { os.Remove(filepath.Join(f.dir, "a.txt")) }, []string{"a.txt"}, ""},
		"untracked there":   {func(f *fixture) { f.write(f.dir, "added/x", "mine\n") }, []string{"added/x"}, ""},
		"untracked as file": {func(f *fixture) { f.write(f.dir, "added", "mine\n") }, []string{"added"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			wt := f.worktree("w", "ralph/w")
			f.write(wt, "a.txt", "new\n")
			f.write(wt, "added/x", "added\n")
			id, _ := f.commit(wt, CommitOptions{})
			tc.before(f)
			user := f.user()
			err := f.AdvanceBranch(t.Context(), "main", id, f.base)
			if tc.dirty != nil {
				got := asType[ErrDirty](err).Paths
				if len(got) == 0 || !strings.HasPrefix(got[0], tc.dirty[0]) {
					t.Errorf("dirty %q, %v", got, err)
				}
				if diff := cmp.Diff(user, f.user()); diff != "" {
					t.Error(diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := f.git("status", "--porcelain", "-uall"); got != tc.status {
				t.Errorf("status %q, want %q", got, tc.status)
			}
			if got := f.read(f.dir, "a.txt") + f.read(f.dir, "added/x") + f.git("rev-parse", "main", "HEAD"); got != "new\nadded\n"+id+"\n"+id {
				t.Errorf("%q", got)
			}
			if err := f.AdvanceBranch(t.Context(), "main", id, f.base); err != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
}

func TestAdvanceBranchElsewhere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.side("ralph/w", "x", "x")
	f.git("branch", "release")
	user := f.user()
	if err := f.AdvanceBranch(t.Context(), "release", id, f.base); err != nil || f.git("rev-parse", "release") != id {
		t.Errorf("not checked out: %v", err)
	}
	if err := f.AdvanceBranch(t.Context(), "release", f.newCommit("other"), f.base); !errors.As(err, new(ErrRefMoved)) {
		t.Errorf("moved: %v", err)
	}
	f.write(f.dir, ".git/index.lock", "")
	if err := f.AdvanceBranch(t.Context(), "main", id, f.base); !errors.As(err, new(ErrLocked)) {
		t.Errorf("locked: %v", err)
	}
	if !exists(filepath.Join(f.dir, ".git/index.lock")) {
		t.Error("the user's lock was removed")
	}
	os.Remove(filepath.Join(f.dir, ".git/index.lock"))
	if diff := cmp.Diff(user, f.user()); diff != "" {
		t.Error(diff)
	}
}
