package git

import (
	"errors"
	"testing"
)

// TestHeldBesides: two branches with the same work hold it for each other only where one
// of them stays.
func TestHeldBesides(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	work := f.git("commit-tree", f.base+"^{tree}", "-p", f.base, "-m", "work")
	for _, name := range []string{"ralph/a", "ralph/b"} {
		if err := f.CreateBranch(ctx, name, work); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		commit string
		going  []string
		want   bool
	}{
		{work, nil, true},
		{work, []string{"ralph/a"}, true},
		{work, []string{"ralph/a", "ralph/b"}, false},
		{f.base, []string{"ralph/a", "ralph/b"}, true},
		{f.base, []string{"ralph/a", "ralph/b", "main"}, false},
	} {
		going := map[string]bool{}
		for _, name := range tt.going {
			going[name] = true
		}
		if held, err := f.HeldBesides(ctx, tt.commit, going); held != tt.want || err != nil {
			t.Errorf("%.7s without %v: %v, %v", tt.commit, tt.going, held, err)
		}
	}
	if _, err := f.HeldBesides(ctx, "nothing", nil); err == nil {
		t.Error("held, what is no commit")
	}
	wt := f.worktree("w", "ralph/w")
	if where, err := f.CheckedOut(ctx, "ralph/w"); where != wt || err != nil {
		t.Errorf("checked out in %q, %v", where, err)
	}
	if err := f.DeleteBranch(ctx, "ralph/a", f.base); !isMoved(err) {
		t.Errorf("a branch that moved meanwhile: %v", err)
	}
	if err := f.DeleteBranch(ctx, "ralph/a", work); err != nil {
		t.Error(err)
	}
	if all, err := f.Branches(ctx, "ralph/", "wip/"); len(all) != 2 || all[0].Name != "ralph/b" || err != nil {
		t.Errorf("%v, %v", all, err)
	}
}

func isMoved(err error) bool {
	_, is := errors.AsType[ErrRefMoved](err)
	return is
}
