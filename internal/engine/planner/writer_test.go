package planner

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// inFile are the statuses that the plan's file gives its tasks.
func (s stage) inFile(t *testing.T) map[string]plan.Status {
	t.Helper()
	b := newDocument(s.spec.File, "")
	must(t, b.load())
	out := map[string]plan.Status{}
	for _, task := range b.plan.Tasks {
		out[task.ID] = task.Status
	}
	return out
}

// TestFileIsWrittenBeforeTheEnd: a process that is killed once the end is recorded
// has nothing left to write into the plan's file.
func TestFileIsWrittenBeforeTheEnd(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]work{
		"passed":  passes("b.txt", "B"),
		"failed":  fails,
		"waiting": {status: loop.StatusPassed, asks: "Which?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "plan.json", two, map[string]work{"a": passes("a.txt", "A"), "b": b})
			var then map[string]plan.Status
			ran := false
			s.run(t, engine.Drive{Watch: func(u engine.Update) {
				switch running := u.Plan != nil && u.Plan.After.Status == loop.Running; {
				case running:
					ran = true
				case u.Plan != nil && ran && then == nil:
					then = s.inFile(t)
				}
			}})
			if now := s.inFile(t); then["a"] != plan.Done || then["b"] != now["b"] {
				t.Errorf("when the end was recorded: %v, later: %v", then, now)
			}
		})
	}
}

// TestAbortOfACrashedPlanIsWritten: the file of a plan that is ended while no
// process runs it says so, even where the crash left it behind the record.
func TestAbortOfACrashedPlanIsWritten(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", chain, map[string]work{
		"a": passes("a.txt", "A"), "b": {status: loop.StatusPassed, asks: "Which?"},
	})
	old, err := os.ReadFile(s.spec.File)
	must(t, err)
	s.run(t, engine.Drive{})
	must(t, os.WriteFile(s.spec.File, old, 0o600)) // as if the run had been killed before it wrote
	_, err = s.Send(t.Context(), s.spec.ID, engine.Command{Kind: engine.Abort, By: "test"})
	must(t, err)
	if got := s.inFile(t); got["a"] != plan.Done || got["b"] != plan.Failed {
		t.Errorf("the file says %v", got)
	}
}

// TestHalfWrittenFilesAreRemoved: the next run of a plan removes the temporary files
// that a killed one left beside the plan's file, and no others.
func TestHalfWrittenFilesAreRemoved(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", two, nil)
	dir := filepath.Dir(s.spec.File)
	kept := []string{
		".plan.json.tmp", ".plan.json.12.tmp", ".plan.json.ralph-.tmp", ".plan.json.ralph-x1.tmp", ".plan.json.ralph-07.tmp",
		".plan.json.ralph-12.tmp~", ".other.json.ralph-12.tmp", "plan.json.ralph-12.tmp",
	}
	for _, name := range append(slices.Clone(kept), ".plan.json.ralph-12.tmp", ".plan.json.ralph-4194304.tmp") {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600))
	}
	must(t, os.Mkdir(filepath.Join(dir, ".plan.json.ralph-13.tmp"), 0o700))
	s.run(t, engine.Drive{})
	for _, name := range append(kept, ".plan.json.ralph-13.tmp") {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{".plan.json.ralph-12.tmp", ".plan.json.ralph-4194304.tmp"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}
