package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/testing/tier"

	"github.com/google/go-cmp/cmp"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	linked := f.worktree("linked", "ralph/l")
	bare := filepath.Join(f.home, "bare.git")
	f.git("clone", "-q", "--bare", f.dir, bare)
	type view struct {
		Root, MainRoot, Prefix string
		Bare                   bool
	}
	for name, tc := range map[string]struct {
		dir  string
		want view
	}{
		"top":       {f.dir, view{f.dir, f.dir, "", false}},
		"sub":       {filepath.Join(f.dir, "dir"), view{f.dir, f.dir, "dir", false}},
		"linked":    {linked, view{linked, f.dir, "", false}},
		"linkedsub": {filepath.Join(linked, "dir"), view{linked, f.dir, "dir", false}},
		"bare":      {bare, view{"", "", "", true}},
	} {
		r := f.open(tc.dir)
		if diff := cmp.Diff(tc.want, view{r.Root, r.MainRoot, r.Prefix, r.Bare}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if h, err := r.Head(t.Context()); err != nil || h.Commit != f.base {
			t.Errorf("%s: head %+v, %v", name, h, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	if _, err := OpenEnv(t.Context(), f.home, f.env); !errors.Is(err, ErrNotRepository) {
		t.Errorf("no repository: %v", err)
	}
	if _, err := OpenEnv(t.Context(), filepath.Join(f.dir, ".git"), f.env); !errors.Is(err, ErrNotRepository) {
		t.Errorf("inside .git: %v", err)
	}
	if _, err := OpenEnv(t.Context(), filepath.Join(f.home, "none"), f.env); err == nil {
		t.Error("missing folder: no error")
	}
	for version, want := range map[string]bool{
		"2.38.0": true, "2.37.9": false, "1.9": false, "3.0": true, "2.39.5 (Apple Git-154)": true, "2.51.0.windows.1": true, "": false, "x": false,
	} {
		if got := newEnough(version); got != want {
			t.Errorf("newEnough(%q) = %v", version, got)
		}
	}
}

func TestForeignOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		tier.SkipLacking(t, "root (to give a repository away)")
	}
	f := newFixture(t)
	for _, p := range []string{f.dir, filepath.Join(f.dir, ".git")} {
		if err := os.Lchown(p, 4242, 4242); err != nil {
			tier.SkipLacking(t, "chown", err)
		}
	}
	if _, err := OpenEnv(t.Context(), f.dir, f.env); !errors.Is(err, ErrForeignOwner) {
		t.Errorf("foreign owner: %v", err)
	}
	// The owner of this machine may trust it; then it is trusted here too.
	f.gitIn(f.home, "config", "--global", "safe.directory", f.dir)
	r, err := OpenEnv(t.Context(), f.dir, f.env)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Dirty(t.Context(), ""); err != nil {
		t.Error(err)
	}
}

func TestUnbornAndDetached(t *testing.T) {
	t.Parallel()
	e := emptyFixture(t)
	r := e.open(e.dir)
	if h, err := r.Head(t.Context()); !errors.Is(err, ErrUnborn) || h.Branch != "main" {
		t.Errorf("unborn: %+v, %v", h, err)
	}
	if d, err := r.Dirty(t.Context(), ""); err != nil || d.Any() {
		t.Errorf("unborn: %+v, %v", d, err)
	}
	f := newFixture(t)
	f.git("checkout", "-q", "--detach")
	if h, err := f.Head(t.Context()); err != nil || h.Branch != "" || h.Commit != f.base {
		t.Errorf("detached: %+v, %v", h, err)
	}
}

func TestSubmodule(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	lib := newFixture(t)
	f.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "lib")
	f.git("commit", "-q", "-m", "lib")
	f.base = f.git("rev-parse", "HEAD")
	if has, err := f.HasSubmodules(t.Context(), "HEAD"); err != nil || !has {
		t.Errorf("HasSubmodules = %v, %v", has, err)
	}
	sub := f.open(filepath.Join(f.dir, "lib"))
	if sub.Root != filepath.Join(f.dir, "lib") || sub.MainRoot != sub.Root {
		t.Errorf("submodule: root %s, main %s", sub.Root, sub.MainRoot)
	}
	// The submodule's configuration must not run when its state is looked at.
	marker := filepath.Join(f.home, "ran")
	f.gitIn(filepath.Join(f.dir, "lib"), "config", "filter.e.clean", "touch "+marker)
	f.write(f.dir, "lib/.gitattributes", "* filter=e\n")
	f.write(f.dir, "lib/a.txt", "other\n")
	if d, err := f.Dirty(t.Context(), ""); err != nil || d.Any() {
		t.Errorf("dirty submodule: %+v, %v", d, err)
	}
	if _, err := f.Snapshot(t.Context(), "", f.base, Message{Text: "s"}); err != nil {
		t.Error(err)
	}
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "a.txt", "new\n")
	if _, made := f.commit(wt, CommitOptions{}); !made {
		t.Error("commit beside a submodule: nothing made")
	}
	if err := f.Switch(t.Context(), wt, "ralph/w2", f.base); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the submodule's filter ran")
	}
}
