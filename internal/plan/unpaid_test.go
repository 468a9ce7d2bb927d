package plan

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestARepairThatCannotBePaid: proved work waits for budget, and is landed by the
// run that has some; the budget is not exceeded.
func TestARepairThatCannotBePaid(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	p := Plan{Tasks: []Task{{ID: "a", Title: "a"}, {ID: "b", Title: "b"}}}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	conflict := func(attempts int) State {
		s := Begin("p", "p.md", "", "ralph/p/_landed", "c0", Rules{PerTask: 3, Parallel: 2, Attempts: attempts})
		return applied(t, s,
			Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1"}, {ID: "b", Digest: "1"}}}, Opened{Stamp: at, Owner: "me"},
			Started{Stamp: at, Task: "a", Loop: "a", From: "c0", Most: 1}, Started{Stamp: at, Task: "b", Loop: "b", From: "c0", Most: 1},
			Stopped{Stamp: at, Task: "a", Loop: "a", Status: loop.StatusPassed, Commit: "c1", Attempts: 1},
			Stopped{Stamp: at, Task: "b", Loop: "b", Status: loop.StatusPassed, Commit: "c2", Attempts: 1},
			LandBegan{Stamp: at, Task: "a", Onto: "c0"}, Landed{Stamp: at, Task: "a", Commit: "c1"},
			LandBegan{Stamp: at, Task: "b", Onto: "c1"}, Repairing{Stamp: at, Task: "b", Loop: "b-land", Why: "conflicts in x"},
		)
	}
	money := applied(t, conflict(3), NotLanded{Stamp: at, Task: "b", Message: "used up", Reason: loop.Budget})
	for name, s := range map[string]State{"no attempt is left": conflict(2), "no money is left": money} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := Next(g, s, nil)
			if len(all) != 1 || all[0].Do != DoRest || all[0].Rest.Status != loop.Aborted || all[0].Rest.Reason != loop.Budget {
				t.Fatalf("%+v", all)
			}
			rest := all[0].Rest
			rest.Stamp = at
			s = applied(t, s, rest, Resumed{Stamp: at}, Opened{Stamp: at, Owner: "me"})
			if all := Next(g, s, nil); len(all) != 1 || all[0].Do != DoLand || all[0].Task != "b" {
				t.Fatalf("%+v", all)
			}
			s = applied(t, s, LandBegan{Stamp: at, Task: "b", Onto: "c1"}, Repairing{Stamp: at, Task: "b", Loop: "b-land-2", Why: "conflicts in x"})
			if most := s.Task("b").Most; most != min(mostRepairing, s.Budget()) || s.Left() != s.Budget()-most {
				t.Errorf("%d of %d are left while a repair of %d attempts is under way", s.Left(), s.Budget(), most)
			}
		})
	}
	if s := conflict(3); s.Task("b").Repair != "b-land" || s.Left() != 0 {
		t.Errorf("%+v", s.Task("b"))
	}
}
