package git

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An agent may leave instructions, settings, programs and repositories where git ignores
// them. Of a worktree that another loop takes only what set-up left stays.
func TestKeepOnly(t *testing.T) {
	t.Parallel()
	const tracked, setUp = ".gitignore a.txt dir/b.txt", ".gitignore a.txt deep/in/one.cache deps.cache/empty deps.cache/lib/run dir/b.txt dir/two.cache"
	run := "deps.cache/lib/run"
	for name, c := range map[string]struct {
		does func(f *fixture, wt string)
		want string
	}{
		"nothing": {func(*fixture, string) {}, setUp},
		"files beside": {func(f *fixture, wt string) {
			for _, name := range []string{"notes.cache", "dir/x.cache", "deps.cache/lib/.bin", "deps.cache/new/f", "deep/y", "own/.gitignore", "own/f"} {
				f.write(wt, name, "*\n")
			}
		}, setUp},
		"a repository": {func(f *fixture, wt string) {
			f.write(wt, "deps.cache/lib/repo/f", "x")
			f.gitIn(filepath.Join(wt, "deps.cache/lib/repo"), "init", "-q")
			f.write(wt, "r.cache/f", "x")
			f.gitIn(filepath.Join(wt, "r.cache"), "init", "-q")
		}, setUp},
		"a link":   {func(_ *fixture, wt string) { _ = os.Symlink("/etc", filepath.Join(wt, "etc.cache")) }, setUp},
		"too deep": {func(f *fixture, wt string) { f.nest(filepath.Join(wt, "deps.cache"), 110) }, setUp},
		"the same size and time": {func(f *fixture, wt string) {
			info, _ := os.Stat(filepath.Join(wt, run))
			f.write(wt, run, "evil")
			_ = os.Chtimes(filepath.Join(wt, run), info.ModTime(), info.ModTime())
		}, tracked},
		"another file in its place": {func(f *fixture, wt string) {
			f.write(wt, "other", "true")
			_ = os.Rename(filepath.Join(wt, "other"), filepath.Join(wt, run))
		}, tracked},
		"a mode":        {func(_ *fixture, wt string) { _ = os.Chmod(filepath.Join(wt, run), 0o755) }, tracked},
		"a folder less": {func(_ *fixture, wt string) { _ = os.Remove(filepath.Join(wt, "deps.cache/empty")) }, tracked},
		"a link to it elsewhere": {func(f *fixture, wt string) {
			_ = os.Rename(filepath.Join(wt, "deps.cache"), filepath.Join(f.home, "moved"))
			_ = os.Symlink(filepath.Join(f.home, "moved"), filepath.Join(wt, "deps.cache"))
		}, tracked},
		"a folder that cannot be read": {func(_ *fixture, wt string) { _ = os.Chmod(filepath.Join(wt, "deps.cache/lib"), 0) }, setUp},
		"a folder in a file's place": {func(f *fixture, wt string) {
			_ = os.Remove(filepath.Join(wt, "a.txt"))
			f.write(wt, "a.txt/x", "x")
		}, strings.ReplaceAll(setUp, "a.txt ", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			wt := f.worktree("w", "ralph/w")
			f.write(wt, "deep/in/one.cache", "1")
			f.write(wt, "dir/two.cache", "2")
			f.write(wt, run, "true")
			if err := os.Mkdir(filepath.Join(wt, "deps.cache/empty"), 0o755); err != nil {
				t.Fatal(err)
			}
			left, err := f.Inventory(t.Context(), wt)
			if err != nil {
				t.Fatal(err)
			}
			if again := ParseInventory(left.Bytes()); !maps.Equal(left, again) {
				t.Errorf("written and read: %v, want %v", again, left)
			}
			c.does(f, wt)
			want := c.want
			if name == "a folder that cannot be read" && os.Geteuid() != 0 {
				want = tracked
			}
			all, err := f.KeepOnly(t.Context(), wt, f.base, left)
			if err != nil || all != (want != tracked) {
				t.Errorf("%t, %v", all, err)
			}
			if got := what(t, wt); got != want {
				t.Errorf("left:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// What set-up put into a submodule counts as what it left, too.
func TestInventoryOfSubmodules(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("update-index", "--add", "--cacheinfo", "160000,"+f.base+",sub")
	f.git("commit", "-qm", "a submodule")
	f.base = f.git("rev-parse", "HEAD")
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "sub/f", "x")
	left, err := f.Inventory(t.Context(), wt)
	if names := slices.Sorted(maps.Keys(left)); err != nil || !slices.Equal(names, []string{"sub", "sub/f"}) {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := f.KeepOnly(t.Context(), wt, f.base, nil); err != nil || !exists(filepath.Join(wt, "sub")) || exists(filepath.Join(wt, "sub/f")) {
		t.Errorf("%s: %v", what(t, wt), err)
	}
}
