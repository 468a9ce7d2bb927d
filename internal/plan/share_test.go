package plan

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ralph/internal/loop"
)

// begun is the run of a plan that has been opened.
func begun(t *testing.T, p Plan, r Rules) (*Graph, State) {
	t.Helper()
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	read := Read{Stamp: loop.Stamp{At: time.Unix(1e9, 0)}}
	for _, task := range p.Tasks {
		status := task.Status
		if status == "" {
			status = Pending
		}
		read.Tasks = append(read.Tasks, ReadTask{ID: task.ID, Digest: task.ID, Status: status})
	}
	return g, after(t, Begin("p", "/p.md", "", "b", "c0", r), read, Opened{Stamp: read.Stamp})
}

func after(t *testing.T, s State, events ...Event) State {
	t.Helper()
	for _, e := range events {
		var err error
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// shares are the attempts of the loops that may begin now.
func shares(g *Graph, s State) map[string]int {
	out := map[string]int{}
	for _, a := range Next(g, s, nil) {
		if a.Do == DoStart {
			out[a.Task] = a.Most
		}
	}
	return out
}

// TestShares: tasks have their own attempts. Of a given number, those that begin
// together share what is left, and its share is kept for each that comes later.
func TestShares(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		plan     Plan
		attempts int
		parallel int
		want     map[string]int
	}{
		"one":                      {of("a"), 0, 3, map[string]int{"a": 5}},
		"two at once":              {of("a", "b"), 0, 3, map[string]int{"a": 5, "b": 5}},
		"four at once":             {of("a", "b", "c", "d"), 0, 4, map[string]int{"a": 5, "b": 5, "c": 5, "d": 5}},
		"four at once of twelve":   {of("a", "b", "c", "d"), 12, 4, map[string]int{"a": 3, "b": 3, "c": 3, "d": 3}},
		"in a row":                 {of("a", "b: a"), 0, 3, map[string]int{"a": 5}},
		"in a row, of six":         {of("a", "b: a", "c: b"), 6, 3, map[string]int{"a": 2}},
		"in a row, and little":     {of("a", "b: a", "c: b"), 4, 3, map[string]int{"a": 2}},
		"enough for everybody":     {of("a", "b"), 100, 3, map[string]int{"a": 5, "b": 5}},
		"more wait than may begin": {of("a", "b", "c", "d", "e", "f"), 6, 2, map[string]int{"a": 1, "b": 1}},
		"what does not divide":     {of("a", "b", "c"), 5, 3, map[string]int{"a": 1, "b": 2, "c": 2}},
		"fewer than could begin":   {of("a", "b", "c"), 2, 3, map[string]int{"a": 1, "b": 1}},
		"the last one":             {of("a", "b", "c"), 1, 3, map[string]int{"a": 1}},
	} {
		g, s := begun(t, row.plan, Rules{Parallel: row.parallel, PerTask: 5, Attempts: row.attempts, OnFailure: Skip})
		if d := cmp.Diff(row.want, shares(g, s)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestCutShort: a loop that had fewer attempts than a task may have goes on with
// what others gave back, and fails when the task has had its own.
func TestCutShort(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	g, s := begun(t, of("a", "b"), Rules{Parallel: 2, PerTask: 5, Attempts: 6, OnFailure: Skip})
	ends := func(task, id string, status loop.Status, attempts int) Stopped {
		e := Stopped{Stamp: at, Task: task, Loop: id, Status: status, Attempts: attempts}
		if status == loop.StatusFailed {
			e.Reason, e.Message = loop.MaxAttempts, "red"
		}
		return e
	}
	s = after(t, s, Started{Stamp: at, Task: "a", Loop: "a1", From: "c0", Most: 3}, Started{Stamp: at, Task: "b", Loop: "b1", From: "c0", Most: 3})
	s = after(t, s, ends("b", "b1", loop.StatusFailed, 3))
	if got := s.Task("b"); got.Status != Pending || got.Spent != 3 {
		t.Fatalf("it had 3 of 5 attempts and is %s, %d spent", got.Status, got.Spent)
	}
	if got := shares(g, s); len(got) > 0 {
		t.Fatalf("nothing is left, and %v may begin", got)
	}
	s = after(t, s, ends("a", "a1", loop.Aborted, 1))
	if d := cmp.Diff(map[string]int{"b": 2}, shares(g, s)); d != "" {
		t.Fatal(d)
	}
	s = after(t, s, Started{Stamp: at, Task: "b", Loop: "b2", From: "c0", Most: 2}, ends("b", "b2", loop.StatusFailed, 2))
	if got := s.Task("b"); got.Status != Failed || got.Reason != loop.MaxAttempts {
		t.Fatalf("it has had its 5 attempts and is %s", got.Status)
	}
}

// TestFairShares: a task that needs no more attempts than its share gets done,
// whatever the others use, if that holds for those that it waits for; and a run without a
// given number never ends by its budget.
func TestFairShares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const perTask = 5
		p := anyPlan(t)
		r := Rules{Parallel: rapid.IntRange(1, 4).Draw(t, "parallel"), PerTask: perTask, OnFailure: Skip}
		if rapid.Bool().Draw(t, "bounded") {
			r.Attempts = len(p.Tasks) * rapid.IntRange(1, perTask).Draw(t, "share")
		}
		need := map[string]int{} // attempts until it passes; more than it may have: never
		for _, task := range p.Tasks {
			need[task.ID] = rapid.IntRange(1, perTask+1).Draw(t, "need")
		}
		s := playFair(t, p, r, need)
		share := perTask
		if r.Attempts > 0 {
			share = r.Attempts / len(p.Tasks)
		}
		within := map[string]bool{}
		for _, task := range p.Tasks {
			within[task.ID] = need[task.ID] <= share && !slices.ContainsFunc(task.Needs, func(n Need) bool { return !within[n.On] })
			if within[task.ID] && s.Task(task.ID).Status != Done {
				t.Errorf("%s needs %d attempts of its %d and is %s", task.ID, need[task.ID], share, s.Task(task.ID).Status)
			}
		}
		if s.Attempts > s.Budget() || r.Attempts == 0 && s.Reason == loop.Budget {
			t.Errorf("%d attempts of %d: %s", s.Attempts, s.Budget(), s.Reason)
		}
	})
}

// playFair runs a plan whose tasks pass after so many attempts.
func playFair(t *rapid.T, p Plan, r Rules, need map[string]int) State {
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s, n := Begin("p", "/p.md", "", "b", "c0", r), 0
	do := func(e Event) {
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	read := Read{Stamp: at}
	for _, task := range p.Tasks {
		read.Tasks = append(read.Tasks, ReadTask{ID: task.ID, Digest: task.ID, Status: Pending})
	}
	do(read)
	do(Opened{Stamp: at})
	for !s.Status.Terminal() {
		if n++; n > 1000 {
			t.Fatalf("it does not end: %+v", s)
		}
		actions := Next(g, s, nil)
		a := rapid.SampledFrom(actions).Draw(t, "action")
		switch a.Do {
		case DoStart:
			for _, a := range actions {
				if a.Do == DoStart {
					do(Started{Stamp: at, Task: a.Task, Loop: fmt.Sprint(a.Task, n), From: s.Tip, Most: a.Most})
				}
			}
		case DoRun:
			task := s.Task(a.Task)
			e := Stopped{Stamp: at, Task: a.Task, Loop: task.Loop, Status: loop.StatusFailed, Reason: loop.MaxAttempts, Attempts: task.Most}
			if left := need[a.Task] - task.Attempts; left <= task.Most {
				e.Status, e.Reason, e.Attempts, e.Commit = loop.StatusPassed, loop.Green, left, fmt.Sprint("c", n)
			}
			do(e)
		case DoLand:
			if s.Task(a.Task).Onto == "" {
				do(LandBegan{Stamp: at, Task: a.Task, Onto: s.Tip})
			}
			do(Landed{Stamp: at, Task: a.Task, Commit: fmt.Sprint("t", n)})
		case DoProve:
			do(ProofBegan{Stamp: at, Loop: "final"})
			do(Proof{Stamp: at, Loop: "final", Passed: true})
		case DoRest:
			rest := a.Rest
			rest.Stamp = at
			do(rest)
		default:
			t.Fatalf("nobody asked for %s", a.Do)
		}
	}
	return s
}

// TestOutOfTurn: what was done out of turn makes no gap in an order that nobody
// stated; a stated need is met when it is done.
func TestOutOfTurn(t *testing.T) {
	t.Parallel()
	for _, why := range []Why{Order, Priority, Barrier, Parent, Stated} {
		p := of("a", "b: a", "c: b", "d: c")
		for i := range p.Tasks {
			for j := range p.Tasks[i].Needs {
				p.Tasks[i].Needs[j].Why = why
			}
		}
		p.Tasks[1].Status, p.Tasks[2].Status = Done, Skipped
		g, s := begun(t, p, Rules{Parallel: 4, PerTask: 5, Attempts: 100, OnFailure: Skip})
		open, _ := p.Open().Graph()
		want := []string{"a"}
		if why == Stated {
			want = []string{"a", "d"}
		}
		if got := shares(g, s); len(got) != len(want) || got["a"] == 0 || (s.Statuses(g)["d"] == Ready) != (why == Stated) {
			t.Errorf("%s: %v begin, d is %s", why, got, s.Statuses(g)["d"])
		}
		if got := open.Ready(); !slices.Equal(got, want) {
			t.Errorf("%s: %v of what is open may begin, want %v", why, got, want)
		}
	}
}
