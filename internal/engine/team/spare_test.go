package team

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestDivide: a branch goes where one that stays has its work; of branches with the same work
// that of the plan stays, and failed work that only its own branch has is told apart.
func TestDivide(t *testing.T) {
	t.Parallel()
	remote := filepath.Join(t.TempDir(), "remote.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	tr, commit := place(t, remote)
	ctx := t.Context()
	base, merged, work, failed := commit("base"), commit("merged"), commit("work"), commit("failed")
	for name, tip := range map[string]string{
		"main": merged, "ralph/a": merged, "ralph/b": base, "ralph/p/one": work, "ralph/p/_landed": work, "ralph/f": failed, "ralph/f2": base,
	} {
		ok(t, tr.Remote.Push(ctx, "refs/heads/"+name, tip, ""))
	}
	_, err := tr.Remote.FetchBranches(ctx, remoteHeads)
	ok(t, err)
	all := []Spare{
		{Branch: git.Branch{Name: "ralph/p/_landed", Tip: work}},
		{Branch: git.Branch{Name: "ralph/p/one", Tip: work}},
		{Branch: git.Branch{Name: "ralph/a", Tip: merged}},
		{Branch: git.Branch{Name: "ralph/f", Tip: failed}, Failed: true},
		{Branch: git.Branch{Name: "ralph/f2", Tip: base}, Failed: true},
		{Branch: git.Branch{Name: "ralph/x", Tip: work}, Why: "no record"},
	}
	ok(t, divide(ctx, tr.Remote.Repo, all))
	stays := map[string]bool{}
	for _, s := range all {
		stays[s.Name] = s.Why != ""
		if want := s.Name == "ralph/f" || s.Name == "ralph/p/_landed"; s.Only != want {
			t.Errorf("%s: only %v", s.Name, s.Only)
		}
	}
	for name, want := range map[string]bool{"ralph/p/_landed": true, "ralph/p/one": false, "ralph/a": false, "ralph/f": false, "ralph/f2": false, "ralph/x": true} {
		if stays[name] != want {
			t.Errorf("%s stays: %v", name, stays[name])
		}
	}
}

// TestDropComparesTheTip: a branch that has moved since it was looked at is not deleted.
func TestDropComparesTheTip(t *testing.T) {
	t.Parallel()
	remote := filepath.Join(t.TempDir(), "remote.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	tr, commit := place(t, remote)
	seen, now := commit("seen"), commit("now")
	ok(t, tr.Remote.Push(t.Context(), "refs/heads/ralph/a", now, ""))
	p := Plans{Engine: &Engine{Travel: tr}}
	err := p.Drop(t.Context(), Spare{Branch: git.Branch{Name: "ralph/a", Tip: seen}, Run: "a"})
	if _, moved := errors.AsType[git.ErrRefMoved](err); !moved {
		t.Errorf("%v", err)
	}
	if got, err := tr.Remote.Tip(t.Context(), "refs/heads/ralph/a"); got != now || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	ok(t, p.Drop(t.Context(), Spare{Branch: git.Branch{Name: "ralph/a", Tip: now}, Run: "a"}))
	if got, err := tr.Remote.Tip(t.Context(), "refs/heads/ralph/a"); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestBranchOwner: a loop of a plan is needed as long as the plan; one that has moved away has
// not ended.
func TestBranchOwner(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	s := loop.State{}
	s.ID, s.Status, s.EndedAt = "p-a", loop.StatusPassed, at
	of := ownerOfLoop(s, true)
	if !of.ended || of.accepted || !of.archived || of.failed || !of.endedAt.Equal(at) {
		t.Errorf("%+v", of)
	}
	p := plan.State{ID: "p", Status: loop.Running}
	if got := of.of(ownerOfPlan(p, false)); got.ended || got.archived {
		t.Errorf("of a running plan: %+v", got)
	}
	p.Status, p.Accepted = loop.StatusPassed, "c"
	if got := of.of(ownerOfPlan(p, false)); !got.ended || !got.accepted || got.archived {
		t.Errorf("of an accepted plan: %+v", got)
	}
	s.Move = &loop.Move{}
	if ownerOfLoop(s, true).ended {
		t.Error("a loop that moved away has ended")
	}
}

// TestCleaned: what was deleted is remembered by the file, and is known to be archived.
func TestCleaned(t *testing.T) {
	t.Parallel()
	e := &Engine{CleanedFile: filepath.Join(t.TempDir(), "cleaned.json")}
	ok(t, e.recordCleaned(nil))
	ok(t, e.recordCleaned([]string{"b", "a"}))
	ok(t, e.recordCleaned([]string{"c", "a"}))
	ids, err := e.cleaned()
	ok(t, err)
	c := copies{cleaned: ids}
	for _, id := range []string{"a", "b", "c"} {
		if !c.Archived(id) {
			t.Errorf("%s is not known", id)
		}
	}
	if c.Archived("d") || len(ids) != 3 {
		t.Errorf("%q", ids)
	}
	write(t, e.CleanedFile, "[")
	if _, err := e.cleaned(); err == nil {
		t.Error("a damaged list was read")
	}
}

// TestWhyABranchOfNoRunStays: what --fresh set aside is no run that the server has forgotten.
func TestWhyABranchOfNoRunStays(t *testing.T) {
	t.Parallel()
	if aside, lost := whyUnowned("ralph/p/_landed-487bd75590ee"), whyUnowned("ralph/p/_landed"); !strings.Contains(aside, "began anew") || !strings.Contains(lost, "no record") {
		t.Errorf("%s; %s", aside, lost)
	}
}
