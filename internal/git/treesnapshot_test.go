package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSnapshotTree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	see := func() TreeSnapshot {
		t.Helper()
		s, err := f.SnapshotTree(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	clean := see()
	if want, err := f.TreeOf(ctx, f.base); err != nil || clean.Tree != want || clean.Commit != f.base || !clean.Clean {
		t.Errorf("a clean tree: %+v, want %s, %v", clean, want, err)
	}
	f.write(f.Root, "a.txt", "changed\n")
	f.write(f.Root, "new.txt", "new\n")
	dirty := see()
	if want, err := f.TreeHash(ctx, ""); err != nil || dirty.Tree != want || dirty.Clean || dirty.Tree == clean.Tree {
		t.Errorf("a dirty tree: %+v, want %s, %v", dirty, want, err)
	}
	if again := see(); again.Tree != dirty.Tree {
		t.Errorf("the same files are %s and %s", dirty.Tree, again.Tree)
	}
}

// Where the repository's objects cannot be written, a snapshot is the same, and writes nothing there.
func TestSnapshotLeavesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.Root, "a.txt", "never seen before\n")
	f.write(f.Root, "dir/new.txt", "nor this\n")
	before := f.git("count-objects")
	aside, err := f.snapshotTree(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	if after := f.git("count-objects"); after != before {
		t.Errorf("objects: %s, then %s", before, after)
	}
	if left, err := os.ReadDir(f.scratchDir()); len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	seen, err := f.SnapshotTree(t.Context(), "")
	if err != nil || seen.Tree != aside.Tree {
		t.Errorf("%s, and otherwise %s: %v", aside.Tree, seen.Tree, err)
	}
	if missing := filepath.Join(t.TempDir(), "nowhere"); !writable(missing) || !writable(t.TempDir()) {
		t.Error("what is not known to be closed is not writable")
	}
}

func TestChangedSince(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(f *fixture)
		want   string
	}{
		"nothing":                      {func(*fixture) {}, ""},
		"a report nobody ignored":      {func(f *fixture) { f.write(f.Root, "report.xml", "x") }, ""},
		"a tracked file":               {func(f *fixture) { f.write(f.Root, "b.txt", "other\n") }, "b.txt"},
		"a file that was dirty before": {func(f *fixture) { f.write(f.Root, "a.txt", "dirty two\n") }, "a.txt"},
		"there and back": {func(f *fixture) {
			f.write(f.Root, "a.txt", "other\n")
			f.write(f.Root, "a.txt", "dirty\n")
		}, ""},
		"a commit":  {func(f *fixture) { f.git("commit", "-qam", "more") }, "HEAD"},
		"a removal": {func(f *fixture) { _ = os.Remove(filepath.Join(f.Root, "a.txt")) }, "a.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.write(f.Root, "b.txt", "b\n")
			f.git("add", "-A")
			f.git("commit", "-qm", "b")
			f.write(f.Root, "a.txt", "dirty\n")
			seen, err := f.SnapshotTree(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			test.change(f)
			if got, err := f.ChangedSince(t.Context(), "", seen); err != nil || strings.Join(got, " ") != test.want {
				t.Errorf("moved: %v, %v", got, err)
			}
		})
	}
}

// FastOpen agrees with git without running it.
func TestFastOpen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	linked := f.worktree("w", "ralph/w")
	sub := filepath.Join(f.Root, "deep", "er")
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{f.Root, sub, linked} {
		asked, err := OpenEnv(t.Context(), dir, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		seen, ok := FastOpen(dir, os.Environ())
		if !ok {
			t.Errorf("%s: not seen", dir)
			continue
		}
		if seen.Root != asked.Root || seen.MainRoot != asked.MainRoot || seen.CommonDir != asked.CommonDir ||
			seen.Prefix != asked.Prefix || seen.gitDir != asked.gitDir || seen.Bare != asked.Bare {
			t.Errorf("%s: seen %+v, asked %+v", dir, seen, asked)
		}
	}
	for name, dir := range map[string]string{"none": t.TempDir(), "inside .git": filepath.Join(f.Root, ".git")} {
		if _, ok := FastOpen(dir, os.Environ()); ok {
			t.Errorf("%s: seen", name)
		}
	}
	f.git("config", "core.worktree", t.TempDir())
	if _, ok := FastOpen(f.Root, os.Environ()); ok {
		t.Error("a repository whose tree is elsewhere was not left to git")
	}
}

// Lines that ralph appends to a log in the main tree change no snapshot and no commit, tracked or not.
func TestOwnLogIsIgnored(t *testing.T) {
	t.Parallel()
	for _, tracked := range []bool{false, true} {
		f := newFixture(t)
		ctx := t.Context()
		f.OwnLog = "docs/bus/log.jsonl"
		f.write(f.Root, f.OwnLog, "1\n")
		if tracked {
			f.git("add", "-A")
			f.git("commit", "-qm", "log")
		}
		before, err := f.SnapshotTree(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		f.write(f.Root, f.OwnLog, "1\n2\n")
		after, err := f.SnapshotTree(ctx, "")
		if err != nil || after.Tree != before.Tree || after.Clean != before.Clean || !after.Clean {
			t.Errorf("tracked %t: seen %+v, then %+v, %v", tracked, before, after, err)
		}
		if moved, err := f.ChangedSince(ctx, "", before); err != nil || moved != nil {
			t.Errorf("tracked %t: %v moved, %v", tracked, moved, err)
		}
		if d, err := f.Dirty(ctx, ""); err != nil || d.Any() {
			t.Errorf("tracked %t: dirty %+v, %v", tracked, d, err)
		}
		f.write(f.Root, "work.txt", "work\n")
		done, err := f.Commit(ctx, f.Root, Message{Text: "work"}, CommitOptions{Branch: "ralph/x", InPlace: true, Parent: before.Commit})
		if err != nil {
			t.Fatal(err)
		}
		if files := f.git("diff", "--name-only", before.Commit, done.Commit); strings.TrimSpace(files) != "work.txt" {
			t.Errorf("tracked %t: committed %s", tracked, files)
		}
	}
}
