package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each case is something a crash leaves behind. Heal makes it usable again and
// keeps the agent's files where there are any.
func TestHeal(t *testing.T) {
	t.Parallel()
	const work = "an agent's work\n"
	for name, tc := range map[string]struct {
		crash func(f *fixture, wt, admin string)
		keeps bool
	}{
		"sound":          {func(*fixture, string, string) {}, true},
		"index.lock":     {func(f *fixture, _, admin string) { f.write(admin, "index.lock", "") }, true},
		"HEAD.lock":      {func(f *fixture, _, admin string) { f.write(admin, "HEAD.lock", "") }, true},
		"branch lock":    {func(f *fixture, _, _ string) { f.write(f.dir, ".git/refs/heads/ralph/w.lock", "") }, true},
		"folder gone":    {func(f *fixture, wt, _ string) { os.RemoveAll(wt) }, false},
		"all gone":       {func(f *fixture, wt, admin string) { os.RemoveAll(wt); os.RemoveAll(admin) }, false},
		"unregistered":   {func(f *fixture, _, admin string) { os.RemoveAll(admin) }, true},
		".git gone":      {func(f *fixture, wt, _ string) { os.Remove(filepath.Join(wt, ".git")) }, true},
		".git a folder":  {func(f *fixture, wt, _ string) { os.Remove(filepath.Join(wt, ".git")); f.write(wt, ".git/x", "") }, true},
		"lone .git":      {func(f *fixture, wt, admin string) { os.RemoveAll(wt); os.RemoveAll(admin); f.write(wt, ".git/x", "") }, false},
		"HEAD empty":     {func(f *fixture, _, admin string) { f.write(admin, "HEAD", "") }, true},
		"HEAD gone":      {func(f *fixture, _, admin string) { os.Remove(filepath.Join(admin, "HEAD")) }, true},
		"index gone":     {func(f *fixture, _, admin string) { os.Remove(filepath.Join(admin, "index")) }, true},
		"index broken":   {func(f *fixture, _, admin string) { f.write(admin, "index", "DIRCjunk") }, true},
		"commondir gone": {func(f *fixture, _, admin string) { os.Remove(filepath.Join(admin, "commondir")) }, true},
		"half made": {func(f *fixture, wt, admin string) {
			f.write(admin, "locked", "initializing\n")
			f.write(admin, "index.lock", "")
		}, false},
		"hardly made": {func(f *fixture, wt, admin string) {
			os.RemoveAll(wt)
			os.RemoveAll(admin)
			f.write(admin, "locked", "initializing\n")
		}, false},
		"branch gone too": {func(f *fixture, wt, admin string) {
			os.RemoveAll(wt)
			os.RemoveAll(admin)
			f.git("branch", "-q", "-D", "ralph/w")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			spec := Worktree{Path: filepath.Join(f.root, "w"), Branch: "ralph/w", Commit: f.base}
			wt := f.worktree("w", "ralph/w")
			f.write(wt, "work.txt", work)
			before := f.user()
			tc.crash(f, wt, f.adminDir(wt))
			for range 2 { // twice: healing is idempotent
				if err := f.EnsureWorktree(t.Context(), spec); err != nil {
					t.Fatal(err)
				}
				if err := f.Heal(t.Context(), spec); err != nil {
					t.Fatal(err)
				}
			}
			if got := exists(filepath.Join(wt, "work.txt")); got != tc.keeps {
				t.Errorf("the work is there: %v, want %v", got, tc.keeps)
			}
			want := map[bool]string{true: "?? work.txt", false: ""}[tc.keeps]
			if got := f.gitIn(wt, "status", "--porcelain"); got != want {
				t.Errorf("status %q, want %q", got, want)
			}
			f.write(wt, "more.txt", "x")
			if id, made := f.commit(wt, CommitOptions{Branch: "ralph/w"}); !made || f.git("rev-parse", "ralph/w") != id {
				t.Error("cannot commit there")
			}
			if diff := cmp.Diff(before, f.user()); diff != "" {
				t.Error(diff)
			}
			if out := f.tryGit(f.dir, "fsck"); out.Code != 0 {
				t.Errorf("fsck: %s", out.Stderr)
			}
			if n := strings.Count(f.git("worktree", "list"), "\n"); n != 1 {
				t.Errorf("worktrees:\n%s", f.git("worktree", "list"))
			}
		})
	}
}

func TestHealKeepsOffTheUsersTree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.dir, ".git/index.lock", "")
	for name, err := range map[string]error{
		"heal":     f.Heal(t.Context(), Worktree{Path: f.dir, Commit: f.base}),
		"ensure":   f.EnsureWorktree(t.Context(), Worktree{Path: f.dir, Commit: f.base}),
		"switch":   f.Switch(t.Context(), f.dir, "x", f.base),
		"detach":   f.Detach(t.Context(), f.dir),
		"checkout": f.CheckoutDetached(t.Context(), f.dir, f.base),
		"retire":   f.RetireWorktree(t.Context(), filepath.Dir(f.dir), f.dir),
	} {
		if !errors.Is(err, ErrUsersTree) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !exists(filepath.Join(f.dir, ".git/index.lock")) {
		t.Error("the user's lock was removed")
	}
}

func TestSwitchReusesATree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	wt := f.worktree("w", "ralph/one")
	f.write(wt, "a.txt", "committed by one\n")
	one, _ := f.commit(wt, CommitOptions{Branch: "ralph/one"})
	f.write(wt, "left.txt", "left")
	f.write(wt, "deep/left.cache", "warm")
	f.write(wt, "deep/cold", "cold")
	f.write(wt, "nested/x", "x")
	f.gitIn(filepath.Join(wt, "nested"), "init", "-q")
	f.write(wt, "dir/b.txt", "hidden\n")
	f.gitIn(wt, "update-index", "--skip-worktree", "dir/b.txt")
	f.gitIn(wt, "update-index", "--assume-unchanged", ".gitignore")
	if err := f.Detach(ctx, wt); err != nil {
		t.Fatal(err)
	}
	if err := f.Switch(ctx, wt, "ralph/two", f.base); err != nil {
		t.Fatal(err)
	}
	if got := f.gitIn(wt, "status", "--porcelain", "--ignored", "--branch"); got != "## ralph/two\n!! deep/" {
		t.Errorf("status:\n%s", got)
	}
	if got := f.gitIn(wt, "ls-files", "-v"); strings.ContainsAny(got, "Sh") && strings.Contains(got, "h ") {
		t.Errorf("marks left:\n%s", got)
	}
	if got := f.read(wt, "a.txt") + f.read(wt, "dir/b.txt") + f.read(wt, "deep/left.cache"); got != "alpha\nbeta\nwarm" {
		t.Errorf("content %q", got)
	}
	if got := f.git("rev-parse", "ralph/one"); got != one {
		t.Error("the first branch moved")
	}
	if err := f.Switch(ctx, wt, "ralph/one", f.base); !errors.As(err, new(ErrRefMoved)) {
		t.Errorf("took commits off a branch: %v", err)
	}
	if err := f.Switch(ctx, wt, "main", f.base); !errors.As(err, new(ErrCheckedOut)) {
		t.Errorf("took the user's branch: %v", err)
	}
}

func TestRetire(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "x")
	if err := os.MkdirAll(filepath.Join(wt, "ro", "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.write(wt, "ro/in/f", "f")
	if err := os.Chmod(filepath.Join(wt, "ro", "in"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := f.RetireWorktree(ctx, f.home, wt); !errors.Is(err, ErrOutsideRoot) {
		t.Errorf("outside the root: %v", err)
	}
	if err := f.RetireWorktree(ctx, wt, wt); !errors.Is(err, ErrOutsideRoot) {
		t.Errorf("the root itself: %v", err)
	}
	loose := f.worktree("loose", "")
	f.gitIn(loose, "commit", "-q", "--allow-empty", "-m", "only here")
	if err := f.RetireWorktree(ctx, f.root, loose); !errors.As(err, new(ErrUnreachable)) {
		t.Errorf("lost a commit: %v", err)
	}
	if err := f.RetireWorktree(ctx, f.root, wt); err != nil {
		t.Fatal(err)
	}
	if exists(wt) || strings.Contains(f.git("worktree", "list"), wt) {
		t.Error("still there")
	}
	if got := f.git("rev-parse", "ralph/w"); got != f.base {
		t.Error("the branch went with it")
	}
	if err := Sweep(f.root); err != nil || len(asideIn(t, f.root)) > 0 {
		t.Errorf("sweep: %v", err)
	}
	if err := Sweep(f.root); err != nil {
		t.Errorf("nothing to sweep: %v", err)
	}
}

// Concurrent sweeps do not disturb each other.
func TestRetireTogether(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 200 {
				tree := filepath.Join(root, fmt.Sprintf("%d-%d", i, n))
				err := os.Mkdir(tree, 0o700)
				if err == nil {
					err = os.WriteFile(filepath.Join(tree, "f"), nil, 0o600)
				}
				if err = errors.Join(err, moveAside(root, tree), Sweep(root)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if left, _ := os.ReadDir(root); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestTheCallersTreeMayBeALinkedOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	users := filepath.Join(f.root, "users")
	f.git("worktree", "add", "-q", "-b", "feature", users)
	r := f.open(users)
	f.write(users, "a.txt", "mine\n")
	if _, err := r.linked(users); !errors.Is(err, ErrUsersTree) {
		t.Errorf("%v", err)
	}
	index := f.read(r.gitDir, "index")
	wt := filepath.Join(f.root, "w")
	if err := r.AddWorktree(t.Context(), Worktree{Path: wt, Branch: "ralph/w", Commit: f.base}); err != nil {
		t.Fatal(err)
	}
	f.write(wt, "x", "x")
	if _, _, err := both(r.Commit(t.Context(), wt, Message{Text: "m"}, CommitOptions{})); err != nil {
		t.Error(err)
	}
	if _, err := r.Snapshot(t.Context(), "", f.base, Message{Text: "m"}); err != nil {
		t.Error(err)
	}
	if d, err := r.Dirty(t.Context(), ""); err != nil || d.Unstaged != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if index != f.read(r.gitDir, "index") {
		t.Error("the user's index changed")
	}
}

func asideIn(t *testing.T, root string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, aside+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestAddBehindALink: the folders on the way are made behind a link, as in a home
// that is one.
func TestAddBehindALink(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	if err := os.Mkdir(filepath.Join(f.home, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(f.home, "link")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(f.home, "link", "not", "yet", "tree")
	for range 2 {
		if err := f.EnsureWorktree(t.Context(), Worktree{Path: path, Commit: f.base}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.CheckoutDetached(t.Context(), path, f.base); err != nil {
		t.Error(err)
	}
	if err := f.RetireWorktree(t.Context(), filepath.Dir(path), path); err != nil || exists(path) {
		t.Errorf("retire: %v", err)
	}
}
