package worker

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/loop"
)

// TestAnswer: the answer of who has no tools becomes the file, unless its provider
// says that it was refused or cut; others write their files themselves.
func TestAnswer(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		use, file string
		end       loop.End
		written   bool
	}{
		"an answer":             {"api", "docs/a.md", loop.EndDone, true},
		"cut at its limit":      {"api", "docs/a.md", loop.EndFailed, false},
		"broken off":            {"api", "docs/a.md", loop.EndTransient, false},
		"late":                  {"api", "docs/a.md", loop.EndTimeout, false},
		"of who has tools":      {"claude", "docs/a.md", loop.EndDone, false},
		"of a task without one": {"api", "", loop.EndDone, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, said := t.TempDir(), filepath.Join(t.TempDir(), "answer.txt")
			if err := os.WriteFile(said, []byte("# Spec\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			s := loop.State{Worktree: tree}
			s.Agent.Use, s.Task.Plan = row.use, &loop.InPlan{OutputFile: row.file}
			s.Recent = []loop.Attempt{{Agent: loop.Outcome{End: row.end, OutputFile: said, OutputBytes: 7}}}
			if err := (&Worker{}).answer(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(tree, "docs", "a.md")); (err == nil) != row.written {
				t.Errorf("written is %v, want %v", err == nil, row.written)
			}
		})
	}
}
