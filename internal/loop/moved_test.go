package loop

import "testing"

// TestMoved: a move changes the paths of a loop and nothing else, and is refused while
// an agent works in the old tree.
func TestMoved(t *testing.T) {
	t.Parallel()
	at := Stamp{At: noon}
	s := New(Spec{ID: "a", Task: Task{Text: "x"}, Base: "b", Root: "/old", Gates: []Gate{{Name: "tests", Level: Hard}}, Limits: DefaultLimits()}, noon)
	unprepared, err := Apply(s, Moved{Stamp: at, Root: "/new"})
	if err != nil || unprepared.Root != "/new" || unprepared.Worktree != "" {
		t.Errorf("not prepared yet: %q, %q, %v", unprepared.Root, unprepared.Worktree, err)
	}
	s.Step, s.Worktree, s.GateTree = StepAgent, "/old/t", "/old/g"
	moved, err := Apply(s, Moved{Stamp: at, Root: "/new", Worktree: "/new/t", GateTree: "/new/g"})
	want := s
	want.Root, want.Worktree, want.GateTree = "/new", "/new/t", "/new/g"
	want.LastAt = moved.LastAt
	if diff := same(want, moved); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	working := s
	working.Began = true
	inPlace := s
	inPlace.InPlace = true
	for why, c := range map[string]struct {
		s State
		e Moved
	}{
		"an agent works":      {working, Moved{Stamp: at, Root: "/new", Worktree: "/t", GateTree: "/g"}},
		"without trees":       {s, Moved{Stamp: at, Root: "/new"}},
		"without a root":      {s, Moved{Stamp: at, Worktree: "/t", GateTree: "/g"}},
		"in a person's tree":  {inPlace, Moved{Stamp: at, Root: "/new", Worktree: "/t", GateTree: "/g"}},
		"trees where no were": {unprepared, Moved{Stamp: at, Root: "/x", Worktree: "/t", GateTree: "/g"}},
	} {
		if _, err := Apply(c.s, c.e); err == nil {
			t.Errorf("%s: it moved", why)
		}
	}
}
