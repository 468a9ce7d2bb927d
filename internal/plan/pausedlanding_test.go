package plan

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestAPauseBeginsNoLanding: of the queue only what has begun comes home in a run
// that is to pause; the rest of it waits until the run goes on.
func TestAPauseBeginsNoLanding(t *testing.T) {
	t.Parallel()
	g, err := Plan{Tasks: []Task{{ID: "a", Title: "a"}, {ID: "b", Title: "b"}}}.Graph()
	if err != nil {
		t.Fatal(err)
	}
	s := State{
		Status: loop.Running, Stage: Working, Tip: "c1",
		Tasks: []TaskState{
			{ID: "a", Status: Landing, Loop: "la", Commit: "c2", Onto: "c1", Queue: 2},
			{ID: "b", Status: Landing, Loop: "lb", Commit: "c3", Queue: 1},
		},
	}
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	do := func(want Do, task string) {
		t.Helper()
		if all := Next(g, s, nil); len(all) != 1 || all[0].Do != want || all[0].Task != task {
			t.Fatalf("%+v", all)
		}
	}
	apply := func(e Event) {
		t.Helper()
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	apply(PauseAsked{Stamp: at})
	do(DoLand, "a")
	apply(Landed{Stamp: at, Task: "a", Commit: "c4"})
	do(DoRest, "")
	rest := Next(g, s, nil)[0].Rest
	rest.Stamp = at
	apply(rest)
	if s.Status != loop.Paused {
		t.Fatalf("%s", s.Status)
	}
	apply(Resumed{Stamp: at})
	do(DoLand, "b")
}
