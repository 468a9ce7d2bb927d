package git

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRelativeURL: addresses of submodules are read as git reads them (git's own table,
// t/t0060-path-utils.sh).
func TestRelativeURL(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"git@host:team/shop.git", "../lib.git", "git@host:team/lib.git"},
		{"git@host:shop.git", "../lib.git", "git@host:lib.git"},
		{"https://host/team/shop.git", "../../other/lib.git", "https://host/other/lib.git"},
		{"/srv/git/shop.git/", "../lib", "/srv/git/lib"},
		{"/srv/git/shop", "./lib", "/srv/git/shop/lib"},
		{"user@host:path/to/repo", "../subrepo", "user@host:path/to/subrepo"},
		{"user@host:repo", "../subrepo", "user@host:subrepo"},
		{"ssh://host/repo", "../subrepo/", "ssh://host/subrepo"},
		{"/a/b", "https://elsewhere/lib", "https://elsewhere/lib"},
		{"/a/b", "/c/d", "/c/d"},
	} {
		if got := RelativeURL(c[0], c[1]); got != c[2] {
			t.Errorf("%s of %s: %s, want %s", c[1], c[0], got, c[2])
		}
	}
}

// TestSubmodules: the submodules of a commit are named with their addresses, whatever their
// names are; with the variables of their registration git fetches them, and the configuration
// stays as it is.
func TestSubmodules(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	library := filepath.Join(t.TempDir(), "library")
	f.gitIn(filepath.Dir(library), "init", "-q", "-b", "main", library)
	f.write(library, "part", "a part")
	f.gitIn(library, "add", "-A")
	f.gitIn(library, "commit", "-q", "-m", "part")
	f.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", "a.b c", library, "lib")
	f.git("config", "-f", ".gitmodules", "submodule.a.b c.update", "checkout")
	f.git("commit", "-q", "-a", "-m", "lib")
	clone := filepath.Join(t.TempDir(), "clone")
	f.gitIn(filepath.Dir(clone), "clone", "-q", f.dir, clone)
	r := f.open(clone)
	all, err := r.Submodules(t.Context(), clone)
	if diff := cmp.Diff([]Submodule{{"a.b c", library, "checkout"}}, all); diff != "" || err != nil {
		t.Fatalf("%v\n%s", err, diff)
	}
	if have, err := r.Registered(t.Context()); err != nil || len(have) != 0 {
		t.Errorf("%v, %v", have, err)
	}
	before := f.gitIn(clone, "config", "--local", "--list")
	registered := *f
	registered.env = append(append(slices.Clone(f.env), "GIT_ALLOW_PROTOCOL=file"), Registration(all)...)
	registered.gitIn(clone, "submodule", "--quiet", "update", "--init")
	if after := f.gitIn(clone, "config", "--local", "--list"); after != before {
		t.Errorf("the configuration was\n%s\nand is\n%s", before, after)
	}
	if got := f.read(clone, "lib/part"); got != "a part" {
		t.Errorf("fetched: %q", got)
	}
	f.git("config", "submodule.x.url", "u")
	if have, err := f.open(f.dir).Registered(t.Context()); err != nil || len(have) != 2 {
		t.Errorf("%v, %v", have, err)
	}
	none := newFixture(t)
	if all, err := none.open(none.dir).Submodules(t.Context(), none.dir); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}
