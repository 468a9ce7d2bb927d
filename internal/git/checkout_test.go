package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// gateFixture has a gate worktree at base, which a first checkout has sealed.
func gateFixture(t *testing.T) (*fixture, string) {
	f := newFixture(t)
	f.script(f.dir, "run.sh", "exit 1")
	if err := os.Symlink("a.txt", filepath.Join(f.dir, "link")); err != nil {
		t.Fatal(err)
	}
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "more")
	f.base = f.git("rev-parse", "HEAD")
	gate := f.worktree("gate", "")
	if err := f.CheckoutDetached(t.Context(), gate, f.base); err != nil {
		t.Fatal(err)
	}
	return f, gate
}

// tricks are what a test, or the code it runs, can do to the tree it runs in.
func tricks() map[string]func(f *fixture, gate string) {
	sameSize := func(f *fixture, gate, name string) {
		path := filepath.Join(gate, name)
		st, _ := os.Stat(path)
		f.write(gate, name, strings.Repeat("x", int(st.Size())))
		os.Chtimes(path, st.ModTime(), st.ModTime())
	}
	join := filepath.Join
	return map[string]func(f *fixture, gate string){
		"nothing":           func(*fixture, string) {},
		"changed":           func(f *fixture, g string) { f.write(g, "a.txt", "evil\n") },
		"same size, time":   func(f *fixture, g string) { sameSize(f, g, "a.txt") },
		"removed":           func(f *fixture, g string) { os.Remove(join(g, "a.txt")) },
		"now a folder":      func(f *fixture, g string) { os.Remove(join(g, "a.txt")); f.write(g, "a.txt/x", "x") },
		"now a full folder": func(f *fixture, g string) { os.Remove(join(g, "a.txt")); f.write(g, "a.txt/x.cache", "x") },
		"now a link":        func(f *fixture, g string) { os.Remove(join(g, "a.txt")); os.Symlink("/etc/hostname", join(g, "a.txt")) },
		"link elsewhere":    func(f *fixture, g string) { os.Remove(join(g, "link")); os.Symlink("run.sh", join(g, "link")) },
		"folder now file":   func(f *fixture, g string) { os.RemoveAll(join(g, "dir")); f.write(g, "dir", "x") },
		"mode":              func(f *fixture, g string) { os.Chmod(join(g, "run.sh"), 0o644) },
		"read-only":         func(f *fixture, g string) { f.write(g, "a.txt", "evil"); os.Chmod(join(g, "a.txt"), 0o400) },
		"read-only folder":  func(f *fixture, g string) { f.write(g, "dir/b.txt", "evil"); os.Chmod(join(g, "dir"), 0o500) },
		"untracked":         func(f *fixture, g string) { f.write(g, "new/deep", "x"); os.MkdirAll(join(g, "empty/er"), 0o755) },
		"untracked, locked": func(f *fixture, g string) { f.write(g, "new/deep", "x"); os.Chmod(join(g, "new"), 0o500) },
		"nested repository": func(f *fixture, g string) { f.write(g, "n/x", "x"); f.gitIn(join(g, "n"), "init", "-q") },
		"assume unchanged": func(f *fixture, g string) {
			f.gitIn(g, "update-index", "--assume-unchanged", "a.txt")
			sameSize(f, g, "a.txt")
		},
		"skip worktree": func(f *fixture, g string) {
			f.gitIn(g, "update-index", "--skip-worktree", "a.txt")
			f.write(g, "a.txt", "e")
		},
		"ignoreStat": func(f *fixture, g string) {
			f.git("config", "core.ignoreStat", "true")
			f.gitIn(g, "update-index", "--really-refresh")
			f.write(g, "a.txt", "evil\n")
		},
		"sparse": func(f *fixture, g string) { f.gitIn(g, "sparse-checkout", "set", "--no-cone", "/dir/") },
		"folder moved out, linked back": func(f *fixture, g string) {
			os.Rename(join(g, "dir"), join(f.home, "dir"))
			os.Symlink(join(f.home, "dir"), join(g, "dir"))
		},
		"index gone":   func(f *fixture, g string) { os.Remove(join(f.adminDir(g), "index")); f.write(g, "a.txt", "e") },
		"index broken": func(f *fixture, g string) { f.write(f.adminDir(g), "index", "junk") },
		"index a link": func(f *fixture, g string) {
			i := join(f.adminDir(g), "index")
			os.Remove(i)
			os.Symlink("/dev/null", i)
		},
		"index locked":  func(f *fixture, g string) { f.write(f.adminDir(g), "index.lock", "") },
		"on a branch":   func(f *fixture, g string) { f.gitIn(g, "checkout", "-q", "-b", "mine"); f.write(g, "a.txt", "e") },
		"HEAD junk":     func(f *fixture, g string) { f.write(f.adminDir(g), "HEAD", "junk") },
		"HEAD gone":     func(f *fixture, g string) { os.Remove(join(f.adminDir(g), "HEAD")) },
		".git gone":     func(f *fixture, g string) { os.Remove(join(g, ".git")) },
		"replaced blob": func(f *fixture, g string) { f.git("replace", "HEAD:a.txt", "HEAD:dir/b.txt"); f.write(g, "a.txt", "e") },
		"fileMode off": func(f *fixture, g string) {
			f.git("config", "core.fileMode", "false")
			os.Chmod(join(g, "run.sh"), 0o644)
		},
		"crlf on": func(f *fixture, g string) { f.git("config", "core.autocrlf", "true"); os.Remove(join(g, "a.txt")) },
		"committed": func(f *fixture, g string) {
			f.write(g, "a.txt", "mine\n")
			f.gitIn(g, "commit", "-qam", "by a test")
		},
		"merging": func(f *fixture, g string) {
			f.write(f.adminDir(g), "MERGE_HEAD", f.base+"\n")
			f.write(g, "a.txt", "e")
		},
	}
}

func TestCheckoutDetachedIsExact(t *testing.T) {
	t.Parallel()
	for name, trick := range tricks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, gate := gateFixture(t)
			next := f.newCommit("next")
			frozen, err := f.CaptureFilters(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				repo   *Repo
				commit string
			}{
				{f.Repo, f.base},
				{f.Repo, next},
				{f.open(f.dir).WithFilters(frozen), f.base}, // a process that knows nothing
			} {
				trick(f, gate)
				f.write(gate, "warm.cache", "warm")
				if err := step.repo.CheckoutDetached(t.Context(), gate, step.commit); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(f.expected(), f.content(gate)); diff != "" {
					t.Fatalf("(-commit +tree):\n%s", diff)
				}
				if h, err := step.repo.HeadOf(t.Context(), gate); err != nil || h != (Head{Commit: step.commit}) {
					t.Fatalf("head %+v, %v", h, err)
				}
				os.RemoveAll(filepath.Join(f.home, "dir"))
				f.tryGit(f.dir, "branch", "-D", "mine")
				f.tryGit(f.dir, "replace", "-d", f.git("rev-parse", "HEAD:a.txt"))
			}
		})
	}
}

// expected is the content of base, and the cache.
func (f *fixture) expected() map[string]string {
	return map[string]string{
		"a.txt": "-rw alpha\n", "dir/b.txt": "-rw beta\n", ".gitignore": "-rw *.cache\n", "run.sh": "-rwx #!/bin/sh\nexit 1\n",
		"link": "-> a.txt", "warm.cache": "-rw warm",
	}
}

func (f *fixture) content(tree string) map[string]string {
	f.t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(tree, path)
		rel = filepath.ToSlash(rel)
		switch {
		case rel == ".git":
		case d.IsDir():
			if in, _ := os.ReadDir(path); len(in) == 0 {
				got[rel] = "empty folder"
			}
		case d.Type()&os.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			got[rel] = "-> " + to
		default:
			st, _ := d.Info()
			mode := map[bool]string{true: "-rwx ", false: "-rw "}[st.Mode()&0o100 != 0]
			if st.Mode()&0o200 == 0 {
				mode = "read-only "
			}
			got[rel] = mode + f.read(tree, rel)
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return got
}

// A file that was tracked and is now ignored must go with the commit that had it.
func TestCheckoutDetachedRemovesWhatBecameIgnored(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "forced.cache", "x")
	f.gitIn(wt, "add", "-f", "forced.cache")
	id, _ := f.commit(wt, CommitOptions{})
	gate := f.worktree("gate", "")
	for _, r := range []*Repo{f.Repo, f.open(f.dir)} {
		if err := r.CheckoutDetached(t.Context(), gate, id); err != nil {
			t.Fatal(err)
		}
		if err := f.open(f.dir).CheckoutDetached(t.Context(), gate, f.base); err != nil {
			t.Fatal(err)
		}
		if exists(filepath.Join(gate, "forced.cache")) {
			t.Error("still there")
		}
	}
}

func TestRestoreFrom(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "a.txt", "changed\n")
	f.write(wt, "dir/new_test.go", "added")
	f.write(wt, "src.go", "product")
	if err := os.Remove(filepath.Join(wt, "dir/b.txt")); err != nil {
		t.Fatal(err)
	}
	id, _ := f.commit(wt, CommitOptions{})
	gate := f.worktree("gate", "")
	for _, tc := range []struct {
		patterns, want []string
		bad            bool
	}{
		{patterns: nil, want: nil},
		{patterns: []string{"none/**"}, want: nil},
		{patterns: []string{"dir"}, want: []string{"dir/b.txt", "dir/new_test.go"}},
		{patterns: []string{"./dir/"}, want: []string{"dir/b.txt", "dir/new_test.go"}},
		{patterns: []string{"**/*_test.go", "a.txt"}, want: []string{"a.txt", "dir/new_test.go"}},
		{patterns: []string{"[", "a.txt"}, bad: true},
	} {
		if err := f.CheckoutDetached(t.Context(), gate, id); err != nil {
			t.Fatal(err)
		}
		got, err := f.RestoreFrom(t.Context(), gate, f.base, tc.patterns)
		if diff := cmp.Diff(tc.want, got); diff != "" || (err != nil) != tc.bad {
			t.Errorf("%q: %v%s", tc.patterns, err, diff)
		}
		for _, path := range got {
			want, err := f.FileAt(t.Context(), f.base, path)
			have, readErr := os.ReadFile(filepath.Join(gate, path))
			if err != nil && readErr == nil || string(want) != string(have) {
				t.Errorf("%s: %q, want %q", path, have, want)
			}
		}
		if f.read(gate, "src.go") != "product" {
			t.Error("touched what is not protected")
		}
	}
	if err := f.CheckoutDetached(t.Context(), gate, id); err != nil {
		t.Fatal(err)
	}
	if got := f.gitIn(gate, "status", "--porcelain"); got != "" || f.read(gate, "a.txt") != "changed\n" {
		t.Errorf("the overlay stayed: %s", got)
	}
}

func TestTimesBack(t *testing.T) {
	t.Parallel()
	f, gate := gateFixture(t)
	old := time.Now().Add(-time.Hour)
	for range 3 {
		path := filepath.Join(gate, "a.txt")
		f.write(gate, "a.txt", "ALPHA\n")
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		if err := f.CheckoutDetached(t.Context(), gate, f.base); err != nil {
			t.Fatal(err)
		}
		if got := f.read(gate, "a.txt"); got != "alpha\n" {
			t.Fatalf("%q", got)
		}
	}
}
