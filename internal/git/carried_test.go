package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// carry is a loop that took the user's changes along and worked on.
func (f *fixture) carry() (carried, result string) {
	f.t.Helper()
	f.write(f.dir, "a.txt", "mine\n")
	f.write(f.dir, "new.txt", "mine too\n")
	f.write(f.dir, "kept.txt", "untouched by the work\n")
	os.Remove(filepath.Join(f.dir, "dir/b.txt"))
	carried, err := f.Snapshot(f.ctx(), "", f.base, Message{Text: "carried"})
	if err != nil {
		f.t.Fatal(err)
	}
	tree := filepath.Join(f.root, "w")
	if err := f.AddWorktree(f.ctx(), Worktree{Path: tree, Branch: "ralph/w", Commit: carried}); err != nil {
		f.t.Fatal(err)
	}
	f.write(tree, "a.txt", "mine\nand the work\n")
	f.write(tree, "work.txt", "work\n")
	f.write(tree, "new.txt", "mine too\nand the work\n")
	result, _ = f.commit(tree, CommitOptions{})
	return carried, result
}

func (f *fixture) advanceOver(commit, carried string) error {
	return f.AdvanceOver(f.ctx(), "main", commit, f.base, carried)
}

// What was carried along and is still uncommitted, staged or not, is no
// hindrance: the result is built on it.
func TestAdvanceOverWhatWasCarried(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(f *fixture){
		"as it was":      func(*fixture) {},
		"staged":         func(f *fixture) { f.git("add", "-A") },
		"dirty besides":  func(f *fixture) { f.write(f.dir, "other.txt", "other\n") },
		"staged besides": func(f *fixture) { f.write(f.dir, "other.txt", "other\n"); f.git("add", "other.txt") },
		"put back":       func(f *fixture) { f.git("checkout", "-q", "a.txt", "dir/b.txt") },
		"partly arrived": func(f *fixture) {
			f.write(f.dir, "a.txt", "mine\nand the work\n")
			f.write(f.dir, "new.txt", "mine too\nand the work\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			carried, result := f.carry()
			before(f)
			if err := f.advanceOver(result, carried); err != nil {
				t.Fatal(err)
			}
			f.git("rm", "-q", "--cached", "--ignore-unmatch", "other.txt")
			os.Remove(filepath.Join(f.dir, "other.txt"))
			if got := f.git("status", "--porcelain", "-uall"); got != "" || f.git("rev-parse", "main") != result {
				t.Errorf("%q", got)
			}
			if f.read(f.dir, "a.txt") != "mine\nand the work\n" || f.read(f.dir, "new.txt") != "mine too\nand the work\n" || exists(filepath.Join(f.dir, "dir/b.txt")) {
				t.Error("not the result's files")
			}
		})
	}
}

// One byte that is kept nowhere, and nothing moves.
func TestAdvanceOverLosesNothing(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(f *fixture){
		"changed again":          func(f *fixture) { f.write(f.dir, "a.txt", "mine!\n") },
		"a new file changed":     func(f *fixture) { f.write(f.dir, "new.txt", "mine too!\n") },
		"made again":             func(f *fixture) { f.write(f.dir, "dir/b.txt", "again\n") },
		"made executable":        func(f *fixture) { os.Chmod(filepath.Join(f.dir, "a.txt"), 0o755) },
		"in the way of the work": func(f *fixture) { f.write(f.dir, "work.txt", "mine\n") },
		"another content was staged": func(f *fixture) {
			f.write(f.dir, "a.txt", "staged only\n")
			f.git("add", "a.txt")
			f.write(f.dir, "a.txt", "mine\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			carried, result := f.carry()
			before(f)
			user, diff := f.user(), f.git("diff")+f.git("diff", "--cached")
			if err := f.advanceOver(result, carried); !errors.As(err, new(ErrDirty)) {
				t.Errorf("%v", err)
			}
			if d := cmp.Diff(user, f.user()); d != "" || f.git("diff")+f.git("diff", "--cached") != diff {
				t.Error("something moved: " + d)
			}
		})
	}
}

// A carried commit that the work does not contain keeps nothing.
func TestAdvanceOverRewrittenWork(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	carried, _ := f.carry()
	other := f.side("ralph/other", "a.txt", "other")
	if err := f.advanceOver(other, carried); !errors.As(err, new(ErrDirty)) {
		t.Errorf("%v", err)
	}
	if f.read(f.dir, "a.txt") != "mine\n" {
		t.Error("the user's change is lost")
	}
}

// Killed after any of its steps, the same call completes it.
func TestAdvanceOverAfterKill(t *testing.T) {
	t.Parallel()
	for name, half := range map[string]func(f *fixture, carried, result string){
		"the index took it": func(f *fixture, _, _ string) { f.git("add", "-A") },
		"some files are written": func(f *fixture, _, r string) {
			f.git("add", "-A")
			f.write(f.dir, "a.txt", f.git("show", r+":a.txt")+"\n")
		},
		"all files, not the index": func(f *fixture, c, r string) {
			f.git("add", "-A")
			f.write(f.dir, "a.txt", f.git("show", r+":a.txt")+"\n")
			f.write(f.dir, "work.txt", "work\n")
			f.write(f.dir, "new.txt", "mine too\nand the work\n")
		},
		"all but the branch": func(f *fixture, c, r string) { f.git("add", "-A"); f.git("read-tree", "-m", "-u", c, r) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			carried, result := f.carry()
			half(f, carried, result)
			if err := f.advanceOver(result, carried); err != nil {
				t.Fatal(err)
			}
			if got := f.git("status", "--porcelain", "-uall"); got != "" || f.git("rev-parse", "main") != result {
				t.Errorf("%q", got)
			}
		})
	}
}
