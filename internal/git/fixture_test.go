package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/proc"
	"ralph/internal/testing/runnable"
)

// fixture is a user with a home, a repository and a folder for worktrees.
type fixture struct {
	t    testing.TB
	dir  string // the user's working tree
	root string // where worktrees go
	home string
	env  []string
	*Repo
	base string // commit of main
}

// newFixture has main with a.txt, dir/b.txt and a .gitignore ("*.cache").
func newFixture(t testing.TB) *fixture {
	t.Helper()
	return newFixtureAt(t, t.TempDir())
}

func newFixtureAt(t testing.TB, top string) *fixture {
	t.Helper()
	f := emptyFixtureAt(t, top)
	f.write(f.dir, "a.txt", "alpha\n")
	f.write(f.dir, "dir/b.txt", "beta\n")
	f.write(f.dir, ".gitignore", "*.cache\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "base")
	f.base = f.git("rev-parse", "HEAD")
	f.Repo = f.open(f.dir)
	return f
}

func emptyFixture(t testing.TB) *fixture {
	t.Helper()
	return emptyFixtureAt(t, t.TempDir())
}

func emptyFixtureAt(t testing.TB, top string) *fixture {
	t.Helper()
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, dir: filepath.Join(top, "repo"), root: filepath.Join(top, "trees"), home: filepath.Join(top, "home")}
	f.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + f.home, "TMPDIR=" + os.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	f.write(f.home, ".gitconfig", "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n")
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f.git("init", "-q")
	return f
}

func (f *fixture) open(dir string) *Repo {
	f.t.Helper()
	r, err := OpenEnv(f.ctx(), dir, f.env)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

func (f *fixture) ctx() context.Context { return f.t.Context() }

// git is the user's own git in the user's tree.
func (f *fixture) git(args ...string) string { f.t.Helper(); return f.gitIn(f.dir, args...) }

func (f *fixture) gitIn(dir string, args ...string) string {
	f.t.Helper()
	out := f.tryGit(dir, args...)
	if out.Code != 0 {
		f.t.Fatalf("git %s: exit %d\n%s%s", strings.Join(args, " "), out.Code, out.Stdout, out.Stderr)
	}
	return strings.TrimSuffix(string(out.Stdout), "\n")
}

func (f *fixture) tryGit(dir string, args ...string) proc.Output {
	f.t.Helper()
	out, err := proc.Run(context.Background(), proc.Command{Argv: append([]string{"git"}, args...), Dir: dir, Env: f.env})
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) write(dir, name, content string) {
	f.t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) script(dir, name, body string) string {
	f.t.Helper()
	path := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), runnable.Write(path, "#!/bin/sh\n"+body+"\n")); err != nil {
		f.t.Fatal(err)
	}
	return path
}

func (f *fixture) read(dir, name string) string {
	f.t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(b)
}

// worktree adds one on branch, or a detached one when branch is empty.
func (f *fixture) worktree(name, branch string) string {
	f.t.Helper()
	path := filepath.Join(f.root, name)
	if err := f.AddWorktree(f.ctx(), Worktree{Path: path, Branch: branch, Commit: f.base}); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// both takes the parts of a Work that most tests look at.
func both(w Work, err error) (string, bool, error) { return w.Commit, w.Made, err }

func (f *fixture) commit(tree string, o CommitOptions) (string, bool) {
	f.t.Helper()
	id, made, err := both(f.Commit(f.ctx(), tree, Message{Text: "work"}, o))
	if err != nil {
		f.t.Fatal(err)
	}
	return id, made
}

// user is everything of the user that no call may change.
func (f *fixture) user() map[string]string {
	f.t.Helper()
	state := map[string]string{
		"HEAD":   f.read(f.dir, ".git/HEAD"),
		"main":   f.git("rev-parse", "main"),
		"stash":  f.git("stash", "list"),
		"reflog": f.git("reflog", "show", "--format=%H %gs", "HEAD"),
		"config": f.read(f.dir, ".git/config"),
	}
	if b, err := os.ReadFile(filepath.Join(f.dir, ".git", "index")); err == nil {
		state["index"] = string(b)
	}
	err := filepath.WalkDir(f.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			state["file "+path] = string(b)
			return err
		}
		state["other "+path] = d.Type().String()
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return state
}
