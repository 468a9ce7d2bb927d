package worker_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// TestGatesOfAMergeFindTheHome: set-up runs again for a merge, and what it left in the HOME
// is there for the gates that judge the merge.
func TestGatesOfAMergeFindTheHome(t *testing.T) {
	t.Parallel()
	b := newBench(t, writes("answer.txt", "3\n"))
	b.spec.Setup = []string{`echo installed > "$HOME/tool"`}
	b.spec.Gates[0].Run += ` && grep -qx installed "$HOME/tool"`
	s := b.drive(t)
	if s.Status != loop.StatusPassed {
		t.Fatalf("%s/%s: %s", s.Status, s.Reason, s.Message)
	}
	b.commit(t, map[string]string{"other.txt": "other"})
	done, err := b.Accept(t.Context(), s, engine.MergeWork)
	if err != nil || done.FastForward || len(done.Results) != 1 || done.Results[0].Verdict != loop.Passed {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestSetupRunsForEachHome: the HOME of the gates goes with its loop. So a worktree of the
// same base is set up again for the next loop, where set-up left something in the HOME, and
// only there.
func TestSetupRunsForEachHome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		setup, gate string
		runs        int
	}{
		"into the HOME":    {`echo installed > "$HOME/tool"`, `grep -qx installed "$HOME/tool"`, 2},
		"a setting of git": {`git config --global a.b installed`, `test "$(git config --global a.b)" = installed`, 2},
		"into the tree":    {`echo installed > ignored`, `grep -qx installed ignored`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("answer.txt", "3\n"))
			must(t, os.WriteFile(filepath.Join(b.Repo.CommonDir, "info", "exclude"), []byte("ignored\n"), 0o600))
			must(t, os.WriteFile(filepath.Join(filepath.Dir(b.Files.Dir), ".gitconfig"), []byte("[a]\n\tb = mine\n"), 0o600))
			b.spec.Setup = []string{c.setup + " && echo x"}
			b.spec.Gates[0].Run += " && " + c.gate
			runs := 0
			for _, id := range []string{"l1", "l2"} {
				b.spec.ID, b.spec.Branch, b.Files.Dir = id, "ralph/"+id, filepath.Join(filepath.Dir(b.Files.Dir), id)
				if s := b.drive(t); s.Status != loop.StatusPassed {
					t.Fatalf("%s: %s/%s: %s", id, s.Status, s.Reason, s.Message)
				}
				log, _ := os.ReadFile(filepath.Join(b.Files.Attempt(0), "setup-gate-1.log"))
				runs += bytes.Count(log, []byte("x\n"))
				for _, kind := range []string{worker.AgentTree, worker.GateTree} {
					must(t, b.pool.Ready(t.Context(), filepath.Join(b.TreeRoot, kind)))
				}
			}
			if runs != c.runs {
				t.Errorf("the set-up ran %d times for the gates, want %d", runs, c.runs)
			}
		})
	}
}
