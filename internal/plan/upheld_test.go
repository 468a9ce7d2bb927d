package plan

import (
	"reflect"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestUpheld: what a person permitted one loop of a task holds for the next ones, until the task
// is another one.
func TestUpheld(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := Begin("p", "p.md", "", "ralph/p/_landed", "c0", Rules{PerTask: 3, Parallel: 2})
	first := loop.Granted{MayChange: []string{"a_test.go"}, Refuse: []loop.ConcernCode{loop.ConcernWeak}}
	s = applied(t, s, Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1"}}}, Opened{Stamp: at, Owner: "me"},
		Started{Stamp: at, Task: "a", Loop: "a", From: "c0", Most: 3},
		Stopped{Stamp: at, Task: "a", Loop: "a", Status: loop.StatusPassed, Commit: "c1", Attempts: 1, Granted: first},
		LandBegan{Stamp: at, Task: "a", Onto: "c0"}, Repairing{Stamp: at, Task: "a", Loop: "a-land", Why: "conflicts in x"},
	)
	if got := s.Task("a").Upheld.Granted(); !reflect.DeepEqual(got, first) {
		t.Errorf("the repair is permitted %+v", got)
	}
	s = applied(t, s, NotLanded{Stamp: at, Task: "a", Message: "no", Attempts: 1, Granted: loop.Granted{MayChange: []string{"b_test.go", "a_test.go"}, Proof: true}})
	*s.Task("a") = s.Task("a").anew()
	want := loop.Granted{MayChange: []string{"a_test.go", "b_test.go"}, Refuse: first.Refuse, Proof: true}
	if got := s.Task("a").Upheld.Granted(); !reflect.DeepEqual(got, want) {
		t.Errorf("the next loop is permitted %+v, want %+v", got, want)
	}
	again := applied(t, s, Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1"}}})
	if got := again.Task("a").Upheld.Granted(); !reflect.DeepEqual(got, want) {
		t.Errorf("read again: %+v", got)
	}
	other := applied(t, s, Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "2"}}})
	if got := other.Task("a").Upheld; got != (Upheld{}) {
		t.Errorf("another task is permitted %+v", got)
	}
}
