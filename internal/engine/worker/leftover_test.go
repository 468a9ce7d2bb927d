package worker_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// TestLeftovers: what an agent leaves where git ignores it does not reach the agent of a later
// loop that takes the same worktree. What set-up left stays, and set-up runs again where an
// agent changed it.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	const setUp = `mkdir -p deps.ign && echo module > deps.ign/lib && echo >> "$RALPH_RUNS"`
	change := func(tree string) error {
		return os.WriteFile(filepath.Join(tree, "deps.ign/lib"), []byte("EVIL..\n"), 0o600)
	}
	leave := func(tree string) error {
		for _, name := range []string{"CLAUDE.local.ign", "deps.ign/.bin/jest", "repo.ign/.git/HEAD"} {
			if err := errors.Join(os.MkdirAll(filepath.Join(tree, filepath.Dir(name)), 0o700), os.WriteFile(filepath.Join(tree, name), []byte("EVIL\n"), 0o600)); err != nil {
				return err
			}
		}
		return os.Symlink("/etc", filepath.Join(tree, "etc.ign"))
	}
	for name, c := range map[string]struct {
		setup, copied []string
		does          func(tree string) error
		runs          int
		want          string
	}{
		"no set-up":               {nil, nil, leave, 0, ""},
		"beside what set-up left": {[]string{setUp}, nil, leave, 1, "deps.ign deps.ign/lib=module"},
		"what set-up left":        {[]string{setUp}, nil, change, 2, "deps.ign deps.ign/lib=module"},
		"with a copied file":      {[]string{setUp}, []string{"key.ign"}, leave, 1, "deps.ign deps.ign/lib=module key.ign=key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			runs := filepath.Join(filepath.Dir(b.Files.Dir), "runs")
			must(t, os.WriteFile(filepath.Join(b.Repo.CommonDir, "info", "exclude"), []byte("*.ign\n"), 0o600))
			must(t, os.WriteFile(filepath.Join(b.spec.Root, "key.ign"), []byte("key\n"), 0o600))
			b.spec.Copy = c.copied
			for _, line := range c.setup {
				b.spec.Setup = append(b.spec.Setup, strings.ReplaceAll(line, "$RALPH_RUNS", runs))
			}
			var found string
			look := func(tree string) error {
				found = ignoredIn(t, tree)
				return errors.Join(c.does(tree), os.WriteFile(filepath.Join(tree, "answer.txt"), []byte("3\n"), 0o600))
			}
			for _, id := range []string{"l1", "l2", "l3"} {
				script := writer{look}
				b.Drivers["test"] = &script
				b.spec.ID, b.spec.Branch, b.Files.Dir = id, "ralph/"+id, filepath.Join(filepath.Dir(b.Files.Dir), id)
				before, _ := os.ReadFile(runs)
				if s := b.drive(t); s.Status != loop.StatusPassed {
					t.Fatalf("%s: %s/%s: %s", id, s.Status, s.Reason, s.Message)
				}
				if found != c.want {
					t.Errorf("%s: the agent found %q, want %q", id, found, c.want)
				}
				for _, kind := range []string{worker.AgentTree, worker.GateTree} {
					must(t, b.pool.Ready(t.Context(), filepath.Join(b.TreeRoot, kind)))
				}
				after, _ := os.ReadFile(runs)
				// The gate's worktree keeps its set-up.
				if again, want := len(after)-len(before), c.runs-1; id == "l3" && again != max(want, 0) {
					t.Errorf("the set-up ran %d times for the third loop, want %d", again, want)
				}
			}
		})
	}
}

// ignoredIn lists the files in a tree of which git ignores the name, with what is in them.
func ignoredIn(t *testing.T, tree string) string {
	t.Helper()
	var names []string
	must(t, filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(tree, path)
		if err == nil && strings.Contains(name, ".ign") {
			if data, unread := os.ReadFile(path); unread == nil {
				name += "=" + strings.TrimSpace(string(data))
			}
			names = append(names, name)
		}
		return err
	}))
	return strings.Join(names, " ")
}
