package plan

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestFailedBefore: a run of some tasks neither tries again nor counts a task that failed
// before and that it is not about; the next run of all does. An old record names no tasks,
// and means all.
func TestFailedBefore(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	p := Plan{Tasks: []Task{{ID: "a", Title: "a"}, {ID: "b", Title: "b"}, {ID: "c", Title: "c"}, {ID: "d", Title: "d", Needs: []Need{{On: "c"}}}}}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []Policy{Skip, Stop, Ask} {
		failed := State{
			ID: "p", Status: loop.StatusFailed, Stage: Over, Tip: "c0", Rules: Rules{Parallel: 2, PerTask: 2, OnFailure: policy, Only: []string{"b"}},
			Tasks: []TaskState{
				{ID: "a", Status: Failed, Loop: "l-a", Reason: loop.Budget, Message: "red", Tries: 1},
				{ID: "b", Status: Failed, Loop: "l-b", Reason: loop.MaxAttempts, Tries: 1},
				{ID: "c", Status: Pending},
				{ID: "d", Status: Pending},
			},
		}
		s := applied(t, failed, Resumed{Stamp: at, Retry: true, Wanted: p.WantedIDs(failed.Rules.Only)}, Opened{Stamp: at})
		if a := s.Task("a"); a.Status != Failed || a.Loop != "l-a" || a.Message != "red" || s.Task("b").Status != Pending {
			t.Fatalf("%s: %+v, %+v", policy, a, s.Task("b"))
		}
		if all := Next(g, s, nil); len(all) != 1 || all[0].Do != DoStart || all[0].Task != "b" {
			t.Fatalf("%s: %+v", policy, all)
		}
		s = applied(t, s, Started{Stamp: at, Task: "b", Loop: "l-b-2", From: "c0", Most: 1})
		s.Task("b").Status, s.Task("b").Landed, s.Tip = Done, "c1", "c1"
		all := Next(g, s, nil)
		if len(all) != 1 || all[0].Rest.Reason != PartDone || all[0].Rest.Message != "the tasks asked for are done; 2 others are left; failed before: a" {
			t.Fatalf("%s: %+v", policy, all)
		}
		e := all[0].Rest
		e.Stamp = at
		if s = applied(t, s, e); s.Status != loop.StatusPassed || s.Undecided() || !s.Acceptable() {
			t.Errorf("%s: %+v", policy, s)
		}
		s.Rules.Only = nil
		for name, resumed := range map[string]Resumed{"now": {Stamp: at, Retry: true, Wanted: p.WantedIDs(nil)}, "old": {Stamp: at, Retry: true}} {
			if again := applied(t, s, resumed); again.Task("a").Status != Pending {
				t.Errorf("%s, %s: %+v", policy, name, again.Task("a"))
			}
		}
	}
}

// TestOthersAreNotBehind: tasks that were not asked for do not wait for one that failed.
func TestOthersAreNotBehind(t *testing.T) {
	t.Parallel()
	g, err := Plan{Tasks: []Task{{ID: "a", Title: "a"}, {ID: "b", Title: "b", Needs: []Need{{On: "a"}}}, {ID: "c", Title: "c"}}}.Graph()
	if err != nil {
		t.Fatal(err)
	}
	s := State{Status: loop.Running, Stage: Working, Rules: Rules{Parallel: 1, PerTask: 1, OnFailure: Skip, Only: []string{"b"}}, Tasks: []TaskState{
		{ID: "a", Status: Failed, Reason: loop.MaxAttempts}, {ID: "b", Status: Pending}, {ID: "c", Status: Pending},
	}}
	const want = "1 of 3 tasks failed (a); 1 waits for them; 1 was not asked for"
	if all := Next(g, s, nil); len(all) != 1 || all[0].Rest.Message != want {
		t.Errorf("%+v", all)
	}
}
