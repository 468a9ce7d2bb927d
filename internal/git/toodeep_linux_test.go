package git

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Git cannot open a path of more than 4095 bytes, and fails where it meets one.
func TestTooDeepForGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.nest(wt, 110)
	if err := f.Detach(t.Context(), wt); err != nil {
		t.Fatal(err)
	}
	if err := f.Switch(t.Context(), wt, "ralph/two", f.base); err != nil {
		t.Fatal(err)
	}
	if got := what(t, wt); got != ".gitignore a.txt dir/b.txt" {
		t.Error(got)
	}
	f.nest(wt, 110)
	if err := f.RetireWorktree(t.Context(), f.root, wt); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(f.root); Sweep(f.root) != nil || len(left) == 0 {
		t.Errorf("%v", left)
	}
	if left, _ := os.ReadDir(f.root); len(left) > 0 {
		t.Errorf("not deleted: %v", left)
	}
}

// nest makes folders in one another, each as long as a name of 90 letters in two parts.
func (f *fixture) nest(dir string, levels int) {
	f.t.Helper()
	at, err := syscall.Open(dir, syscall.O_DIRECTORY, 0)
	name := strings.Repeat("a", 90)
	for i := 0; i < levels && err == nil; i++ {
		if err = syscall.Mkdirat(at, name, 0o755); err != nil {
			break
		}
		var next int
		next, err = syscall.Openat(at, name, syscall.O_DIRECTORY, 0)
		_ = syscall.Close(at)
		at = next
	}
	_ = syscall.Close(at)
	if err != nil {
		f.t.Fatal(err)
	}
}

// what names all files of a tree, and the folders in which there are none.
func what(t *testing.T, tree string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, tree+"/")
		if name == ".git" {
			return nil
		}
		inside, _ := os.ReadDir(path)
		if !d.IsDir() || len(inside) == 0 {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}
