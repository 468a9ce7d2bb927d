package team

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestFollowedFrom: a loop that moved on before it was seen first is followed from its first
// state, which has nothing of the present one.
func TestFollowedFrom(t *testing.T) {
	t.Parallel()
	now := loop.State{Spec: loop.Spec{ID: "a"}, Status: loop.Running, Worktree: "/there", Iteration: 2}
	r := engine.Stored[loop.State]{State: now, Seq: 7, Spec: []byte(`{"id":"a","status":"pending"}`)}
	l, err := followedFrom(r, false)
	want := loop.State{Spec: loop.Spec{ID: "a"}, Status: loop.Pending}
	if err != nil || l.after != 1 || cmp.Diff(want, l.state) != "" {
		t.Errorf("from the first state: after %d, %v\n%s", l.after, err, cmp.Diff(want, l.state))
	}
	if l, err = followedFrom(r, true); err != nil || l.after != 8 || cmp.Diff(now, l.state) != "" {
		t.Errorf("from now on: after %d, %v", l.after, err)
	}
	r.Spec = []byte("[")
	if _, err := followedFrom(r, false); err == nil {
		t.Error("a damaged first state was read")
	}
}
