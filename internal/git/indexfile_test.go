package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The paths and modes that ralph reads are those that git lists, in each version.
func TestIndexFileIsReadLikeGit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		format, version string
		odd             bool
		change          func(f *fixture)
	}{
		"version 2":        {version: "2"},
		"version 4":        {version: "4"},
		"SHA-256":          {format: "sha256", version: "2"},
		"SHA-256, 4":       {format: "sha256", version: "4"},
		"only meant":       {version: "2", odd: true, change: func(f *fixture) { f.write(f.dir, "meant", "x"); f.git("add", "-N", "meant") }},
		"only meant, 4":    {version: "4", odd: true, change: func(f *fixture) { f.write(f.dir, "meant", "x"); f.git("add", "-N", "meant") }},
		"assume unchanged": {version: "2", odd: true, change: func(f *fixture) { f.git("update-index", "--assume-unchanged", "a.txt") }},
		"skip worktree":    {version: "4", odd: true, change: func(f *fixture) { f.git("update-index", "--skip-worktree", "a.txt") }},
		"submodule": {version: "2", odd: true, change: func(f *fixture) {
			f.git("update-index", "--add", "--cacheinfo", "160000,"+f.git("rev-parse", "HEAD")+",sub")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := emptyFixture(t)
			if tc.format != "" {
				os.RemoveAll(filepath.Join(f.dir, ".git"))
				f.git("init", "-q", "--object-format", tc.format)
			}
			for _, path := range []string{"a.txt", "a/b", "a-b/c", "a/b-c", "deep/er/" + strings.Repeat("long", 60), "ü ö", "z"} {
				f.write(f.dir, path, path)
			}
			os.Symlink("z", filepath.Join(f.dir, "link"))
			f.git("add", "-A")
			f.git("commit", "-qm", "base")
			if tc.change != nil {
				tc.change(f)
			}
			f.git("update-index", "--index-version", tc.version)
			x, err := readIndex(filepath.Join(f.dir, ".git"), len(f.git("rev-parse", "HEAD"))/2)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range x.entries {
				got = append(got, e.path)
			}
			if diff := cmp.Diff(fields([]byte(f.git("ls-files", "-z"))), got); diff != "" || x.odd != tc.odd {
				t.Errorf("odd %v (-git +ralph):\n%s", x.odd, diff)
			}
		})
	}
}

func TestIndexFileOfAnotherFormat(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("update-index", "--split-index")
	if _, err := readIndex(filepath.Join(f.dir, ".git"), 20); !errors.Is(err, errIndexFormat) {
		t.Errorf("split: %v", err)
	}
}

func TestEntriesChangedSince(t *testing.T) {
	t.Parallel()
	read := func(names ...string) (x indexFile) {
		for _, n := range names {
			path, raw, _ := strings.Cut(n, "=")
			x.entries = append(x.entries, indexed{path, []byte(raw)})
		}
		return x
	}
	got := read("a=1", "b=1", "d=1", "e=1").changedSince(read("b=1", "c=1", "d=2", "f=1"))
	if want := []string{"a", "c", "d", "e", "f"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Whatever an agent wrote into its index, reading it ends, and finds each path once.
func FuzzIndexFile(f *testing.F) {
	repo := newFixture(f)
	data, err := os.ReadFile(filepath.Join(repo.dir, ".git", "index"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	repo.git("update-index", "--index-version", "4")
	if data, err = os.ReadFile(filepath.Join(repo.dir, ".git", "index")); err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := parseIndex(data, 20)
		if err != nil {
			return
		}
		total := 0
		for _, folder := range x.folders() {
			total += len(folder.files)
		}
		if total != len(x.entries) {
			t.Errorf("%d entries, %d in folders", len(x.entries), total)
		}
	})
}
