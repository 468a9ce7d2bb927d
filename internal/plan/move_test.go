package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

var (
	laptop = loop.Home{Engine: loop.LocalEngine, Place: "laptop:/src/shop", Machine: "1"}
	server = loop.Home{Engine: "temporal://box:7233/shop?files=/mnt"}
)

// TestMoveThereAndBack: a plan that moved stands where it stood, and only the store that it
// went to takes events: every other one refuses them, and shows nothing to decide.
func TestMoveThereAndBack(t *testing.T) {
	t.Parallel()
	began := Begin("p", "/src/shop/plan.md", "P", "ralph/p/_landed", "b", Rules{Parallel: 1, PerTask: 3, Only: []string{"a"}})
	at := Stamp{At: time.Unix(1000, 0)}
	began = applied(t, began,
		Read{Stamp: at, Title: "P", Tasks: []ReadTask{{ID: "a", Title: "A", Digest: "1"}, {ID: "b", Title: "B", Digest: "2"}}},
		Opened{Stamp: at}, Started{Stamp: at, Task: "a", Loop: "p-a", From: "b", Most: 3},
	)
	for name, rest := range map[string]Event{
		"paused":  Rested{Stamp: at, Status: loop.Paused, Message: "paused on request"},
		"waiting": Rested{Stamp: at, Status: loop.Waiting, Reason: loop.ForHuman, Message: "1 question waits"},
		"failed":  Rested{Stamp: at, Status: loop.StatusFailed, Reason: SomeFailed, Message: "a failed"},
		"passed":  Rested{Stamp: at, Status: loop.StatusPassed, Reason: PartDone, Message: "done"},
	} {
		s := applied(t, began, rest)
		at := Stamp{At: at.At.Add(time.Minute)}
		leaving := applied(t, s, MoveBegan{Stamp: at, From: laptop, To: server})
		left := applied(t, leaving, MovedAway{Stamp: at})
		if _, to, moving := leaving.Moving(); !moving || !to.Same(server) || leaving.Status != loop.Paused || leaving.NeedsProcess() {
			t.Errorf("%s: leaving it is %s", name, leaving.Status)
		}
		if !left.Away() || !left.Status.Terminal() || left.Undecided() || left.Acceptable() || len(left.OpenQuestions()) > 0 {
			t.Errorf("%s: after it left it is %s (%s)", name, left.Status, left.Reason)
		}
		for where, st := range map[string]State{"leaving": leaving, "left": left, "copied in part": s.Incomplete(laptop, server)} {
			for _, e := range []Event{Opened{Stamp: at}, Resumed{Stamp: at}, PauseAsked{Stamp: at}, AbortAsked{Stamp: at}, Accepted{Stamp: at, Commit: "c"}, Noted{Stamp: at}, MoveBegan{Stamp: at, From: server, To: laptop}} {
				if _, err := Apply(st, e); err == nil {
					t.Errorf("%s, %s: %s is taken", name, where, e.Name())
				}
			}
			if got := st.Unmoved(); got.Status != s.Status || got.Reason != s.Reason || got.Message != s.Message || got.Move != nil || got.Partial != nil {
				t.Errorf("%s, %s: apart from its move it is %s (%s)", name, where, got.Status, got.Reason)
			}
		}
		back := applied(t, left, Arrived{Stamp: at}, MoveBegan{Stamp: at, From: server, To: laptop}, MovedAway{Stamp: at}, Arrived{Stamp: at})
		want := s
		want.LastAt, want.Origin = back.LastAt, &server
		if diff := cmp.Diff(want, back); diff != "" {
			t.Errorf("%s: after a move there and back (-was +is)\n%s", name, diff)
		}
		if stays := applied(t, leaving, Arrived{Stamp: at}); stays.Status != s.Status || stays.Origin != nil {
			t.Errorf("%s: a move that was given up left it %s", name, stays.Status)
		}
	}
}

// TestMovesWithItsPlan: a plan in the place of a task moves with the plan around it also where it
// has landed there, or waits for that plan to begin it.
func TestMovesWithItsPlan(t *testing.T) {
	t.Parallel()
	for what, s := range map[string]State{
		"landed": {ID: "p", Status: loop.StatusPassed, Accepted: "c"},
		"waits":  Begin("p", "p.md", "P", "ralph/p/_landed", "b", Rules{}),
	} {
		alone := MoveBegan{From: laptop, To: server}
		if _, err := Apply(s, alone); err == nil {
			t.Errorf("%s: it moved alone", what)
		}
		alone.WithPlan = true
		moved := applied(t, s, alone, MovedAway{}, Arrived{})
		moved.Origin, moved.LastAt = nil, s.LastAt
		if diff := cmp.Diff(s, moved); diff != "" {
			t.Errorf("%s: after the move (-was +is)\n%s", what, diff)
		}
	}
	s := State{ID: "p", Status: loop.Pending, StartedAt: time.Unix(1, 0)}
	if _, err := Apply(s, MoveBegan{From: laptop, To: server, WithPlan: true}); err == nil {
		t.Error("one that a process is to continue moved")
	}
}

// TestImmovable: a plan that a process drives is not moved, and none that needs this machine
// or is over.
func TestImmovable(t *testing.T) {
	t.Parallel()
	rests := State{ID: "p", Status: loop.Paused, Tasks: []TaskState{{ID: "a"}}}
	began := MoveBegan{From: laptop, To: server}
	applied(t, rests, began)
	for what, change := range map[string]func(*State){
		"running":        func(s *State) { s.Status = loop.Running },
		"pending":        func(s *State) { s.Status = loop.Pending },
		"accepted":       func(s *State) { s.Accepted = "c" },
		"damaged":        func(s *State) { s.Status, s.Reason = loop.Waiting, loop.Damaged },
		"being moved":    func(s *State) { *s = applied(t, *s, began) },
		"without an end": func(*State) { began.To = laptop },
	} {
		s, was := rests, began
		change(&s)
		if _, err := Apply(s, began); err == nil {
			t.Errorf("%s: the move began", what)
		}
		began = was
	}
}
