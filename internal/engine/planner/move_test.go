package planner

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestArrive: a plan that comes from another machine gets its branch and its file here, with
// the ticks; a file that is here stays, and a branch with other work is set aside.
func TestArrive(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.md", "# P\n\n### Task 1: a\n\n- [ ] Do it.\n\n### Task 2: b\n\n- [ ] Do it.\n", map[string]work{"task-1": passes("a.txt", "A"), "task-2": fails})
	text, err := os.ReadFile(s.spec.File)
	must(t, err)
	now, err := s.Start(t.Context(), s.spec, engine.Options{}, engine.Drive{})
	must(t, err)
	if now.Status != loop.StatusFailed || now.Tip == now.Base {
		t.Fatalf("%s, %s", now.Status, now.Message)
	}
	ticked, err := os.ReadFile(s.spec.File)
	must(t, err)
	must(t, os.Remove(s.spec.File))
	if kept, err := s.Freeze(t.Context(), now, s.spec, filepath.Base); err != nil || len(kept.Text) == 0 {
		t.Errorf("the text of a file that is gone: %q, %v", kept.Text, err)
	}
	ref := "refs/heads/" + now.Branch
	must(t, s.Repo.CreateBranch(t.Context(), "kept", now.Tip)) // the branch may be deleted then
	for what, at := range map[string]string{"no branch": "", "behind": now.Base, "here": now.Tip} {
		tip, err := s.Repo.RefCommit(t.Context(), ref)
		must(t, err)
		if tip != at {
			must(t, s.Repo.DeleteRef(t.Context(), ref, tip))
			if at != "" {
				must(t, s.Repo.CreateBranch(t.Context(), now.Branch, at))
			}
		}
		must(t, s.Arrive(t.Context(), now, map[string][]byte{now.File: text}))
		if tip, err := s.Repo.RefCommit(t.Context(), ref); err != nil || tip != now.Tip {
			t.Errorf("%s: the branch is at %s, %v", what, tip, err)
		}
		got, err := os.ReadFile(s.spec.File)
		if err != nil || string(got) != string(text) {
			t.Errorf("%s: the file %q, %v", what, got, err)
		}
	}
	lease, err := s.Store.Acquire(t.Context(), now.ID, nil, false)
	must(t, err)
	must(t, s.WriteBack(t.Context(), lease))
	must(t, lease.Release(t.Context()))
	if got, err := os.ReadFile(s.spec.File); err != nil || string(got) != string(ticked) {
		t.Errorf("written back: %q, %v; the run wrote %q", got, err, ticked)
	}

	own := []byte("# Mine\n")
	must(t, os.WriteFile(s.spec.File, own, 0o600))
	tip, err := s.Repo.RefCommit(t.Context(), ref)
	must(t, err)
	other, err := s.Repo.CommitContent(t.Context(), now.Base, mergeMessage(plan.TaskState{ID: "x", Repair: "x"}, "other work", loop.State{EndedAt: s.Now()}), now.Base)
	must(t, err)
	must(t, s.Repo.UpdateRef(t.Context(), ref, other, tip))
	must(t, s.Arrive(t.Context(), now, map[string][]byte{now.File: text}))
	if got, err := os.ReadFile(s.spec.File); err != nil || string(got) != string(own) {
		t.Errorf("a file that was here: %q, %v", got, err)
	}
	if tip, err := s.Repo.RefCommit(t.Context(), ref); err != nil || tip != now.Tip {
		t.Errorf("a branch with other work: %s, %v", tip, err)
	}
	aside, err := s.Repo.Branches(t.Context(), "archive/"+now.Branch)
	if err != nil || len(aside) != 1 || aside[0].Tip != other {
		t.Errorf("set aside: %+v, %v", aside, err)
	}
}
