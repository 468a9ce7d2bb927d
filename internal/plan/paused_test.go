package plan

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestPausedByALimit: what a limit has paused is neither over nor failed, whatever
// else is left of the plan; the limit is named, and a person goes on.
func TestPausedByALimit(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	p := Plan{Tasks: []Task{{ID: "a", Title: "a"}, {ID: "b", Title: "b"}, {ID: "c", Title: "c", Needs: []Need{{On: "a", Why: Stated}}}}}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	begun := applied(t, Begin("p", "p.md", "", "ralph/p/_landed", "c0", Rules{PerTask: 3, Parallel: 2}),
		Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1"}, {ID: "b", Digest: "1"}, {ID: "c", Digest: "1"}}}, Opened{Stamp: at, Owner: "me"},
		Started{Stamp: at, Task: "a", Loop: "a", From: "c0", Most: 3}, Started{Stamp: at, Task: "b", Loop: "b", From: "c0", Most: 3})
	stops := func(task string, status loop.Status, why loop.Reason, words string) Stopped {
		return Stopped{Stamp: at, Task: task, Loop: task, Status: status, Reason: why, Message: words}
	}
	const spent, limit = "used up: 1 of 1 attempts", "5-hour limit reached"
	for name, row := range map[string]struct {
		a, b   Stopped
		status loop.Status
		reason loop.Reason
		words  string
	}{
		"its budget":     {stops("a", loop.Paused, loop.Budget, spent), stops("b", loop.Paused, loop.Budget, spent), loop.Paused, loop.Budget, "a, b: " + spent},
		"a usage limit":  {stops("a", loop.Paused, loop.ForLimit, limit), stops("b", loop.Aborted, loop.Manual, "ended"), loop.Paused, loop.ForLimit, "a: " + limit},
		"both":           {stops("a", loop.Paused, loop.ForLimit, limit), stops("b", loop.Paused, loop.Budget, spent), loop.Paused, loop.Budget, "a: " + limit + "; b: " + spent},
		"a person":       {stops("a", loop.Paused, "", ""), stops("b", loop.Paused, "", ""), loop.Paused, "", "on request"},
		"and a question": {stops("a", loop.Paused, loop.Budget, spent), stops("b", loop.Waiting, loop.ForHuman, "which?"), loop.Waiting, loop.ForHuman, "a: " + spent},
		"and a person":   {stops("a", loop.Paused, "", ""), stops("b", loop.Paused, loop.ForLimit, limit), loop.Paused, loop.ForLimit, "b: " + limit},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := applied(t, begun, row.a, row.b)
			all := Next(g, s, nil)
			if len(all) != 1 || all[0].Do != DoRest {
				t.Fatalf("%+v", all)
			}
			rest := all[0].Rest
			if rest.Status != row.status || rest.Reason != row.reason || !strings.Contains(rest.Message, row.words) {
				t.Fatalf("%+v", rest)
			}
			rest.Stamp = at
			s = applied(t, s, rest)
			if row.status == loop.Paused {
				s = applied(t, s, Resumed{Stamp: at}, Opened{Stamp: at, Owner: "me"})
				if all := Next(g, s, nil); all[0].Do != DoRun || all[0].Task != "a" {
					t.Errorf("it does not go on: %+v", all)
				}
			}
		})
	}
}

// TestAPausedTaskKeepsItsPlace: nobody begins in the place of a task that is paused;
// one that waits for a person holds nobody up.
func TestAPausedTaskKeepsItsPlace(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	p := Plan{Tasks: []Task{{ID: "a", Title: "a"}, {ID: "b", Title: "b"}}}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	for why, want := range map[loop.Reason]Do{loop.ForLimit: DoRest, loop.Budget: DoRest, "": DoRest, loop.ForHuman: DoStart} {
		s := applied(t, Begin("p", "p.md", "", "ralph/p/_landed", "c0", Rules{PerTask: 3, Parallel: 1}),
			Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1"}, {ID: "b", Digest: "1"}}}, Opened{Stamp: at, Owner: "me"},
			Started{Stamp: at, Task: "a", Loop: "a", From: "c0", Most: 3},
			Stopped{Stamp: at, Task: "a", Loop: "a", Status: loop.Paused, Reason: why})
		if all := Next(g, s, nil); len(all) != 1 || all[0].Do != want {
			t.Errorf("%q: %+v", why, all)
		}
	}
}

// TestARepairThatItsBudgetPaused goes on where it is; the plan does not end.
func TestARepairThatItsBudgetPaused(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	p := Plan{Tasks: []Task{{ID: "a", Title: "a"}}}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	s := applied(t, Begin("p", "p.md", "", "ralph/p/_landed", "c0", Rules{PerTask: 3, Parallel: 1}),
		Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1"}}}, Opened{Stamp: at, Owner: "me"},
		Started{Stamp: at, Task: "a", Loop: "a", From: "c0", Most: 1},
		Stopped{Stamp: at, Task: "a", Loop: "a", Status: loop.StatusPassed, Commit: "c1", Attempts: 1},
		LandBegan{Stamp: at, Task: "a", Onto: "c0"}, Repairing{Stamp: at, Task: "a", Loop: "a-land", Why: "red"},
		Stopped{Stamp: at, Task: "a", Loop: "a-land", Status: loop.Paused, Reason: loop.Budget, Message: "used up"})
	all := Next(g, s, nil)
	if len(all) != 1 || all[0].Rest.Status != loop.Paused || all[0].Rest.Reason != loop.Budget {
		t.Fatalf("%+v", all)
	}
	rest := all[0].Rest
	rest.Stamp = at
	s = applied(t, s, rest, Resumed{Stamp: at})
	if all := Next(g, s, nil); len(all) != 1 || all[0].Do != DoLand || s.Task("a").Repair != "a-land" {
		t.Fatalf("%+v", all)
	}
}
