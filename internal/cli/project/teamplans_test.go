package project

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/git"
	"ralph/internal/store"
)

// TestPlanPath: the name of a plan's file, which comes from a server, leads to no place
// outside of the tree or of the worker's own folder.
func TestPlanPath(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(root, "ralph"), store.Options{Owner: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	p := &Project{Store: s, Repo: &git.Repo{Root: root}}
	outside := filepath.Join(t.TempDir(), "x.md")
	if err := os.WriteFile(outside, []byte("- [ ] one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	copies := filepath.Join(s.Plans().Dir("p"), "file")
	for name, want := range map[string][2]string{
		"plans/x.md":    {filepath.Join(root, "plans", "x.md"), filepath.Join(copies, "plans", "x.md")},
		"../../x.md":    {filepath.Join(root, "x.md"), filepath.Join(copies, "x.md")},
		"a/../../../x":  {filepath.Join(root, "x"), filepath.Join(copies, "x")},
		"/etc/plans/x":  {filepath.Join(root, "x"), filepath.Join(copies, "x")},
		"/../../../x.y": {filepath.Join(root, "x.y"), filepath.Join(copies, "x.y")},
		outside:         {outside, filepath.Join(copies, "x.md")},
		".git/hooks/x":  {filepath.Join(root, "x"), filepath.Join(copies, ".git", "hooks", "x")},
		"sub/.Git/x":    {filepath.Join(root, "x"), filepath.Join(copies, "sub", ".Git", "x")},
	} {
		if got := p.planPath(false)("p", name); got != want[0] {
			t.Errorf("%s in a clone: %s", name, got)
		}
		if got := p.planPath(true)("p", name); got != want[1] {
			t.Errorf("%s on a worker: %s", name, got)
		}
	}
}
