package plan

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ralph/internal/loop"
	"ralph/internal/scope"
)

// beside is a plan of two tasks, of which the first is at work.
func beside(t *testing.T, first, second []string, at TaskState) (*Graph, State) {
	t.Helper()
	g, err := Plan{Tasks: []Task{{ID: "a", Title: "a", Files: first}, {ID: "b", Title: "b", Files: second}}}.Graph()
	if err != nil {
		t.Fatal(err)
	}
	at.ID = "a"
	return g, State{
		Status: loop.Running, Stage: Working, Tip: "c0", Rules: Rules{Parallel: 2, PerTask: 3},
		Tasks: []TaskState{at, {ID: "b", Status: Pending}},
	}
}

func starts(g *Graph, s State, touched map[string][]string, id string) bool {
	return slices.ContainsFunc(Next(g, s, touched), func(a Action) bool { return a.Do == DoStart && a.Task == id })
}

func TestFilesThatMeet(t *testing.T) {
	t.Parallel()
	running := TaskState{Status: Running, Loop: "l"}
	for name, tt := range map[string]struct {
		first, second []string
		touched       map[string][]string
		at            TaskState
		waits         bool
	}{
		"nothing is known":               {at: running},
		"declared by both":               {first: []string{"pkg/**"}, second: []string{"pkg/a.go"}, at: running, waits: true},
		"declared, elsewhere":            {first: []string{"pkg/**"}, second: []string{"cmd/a.go"}, at: running},
		"touched now, declared":          {second: []string{"pkg/**"}, touched: map[string][]string{"a": {"pkg/a.go"}}, at: running, waits: true},
		"declared, changed in the past":  {first: []string{"pkg"}, touched: map[string][]string{"b": {"pkg/a.go"}}, at: running, waits: true},
		"touched now, and in the past":   {touched: map[string][]string{"a": {"x", "y"}, "b": {"z", "y"}}, at: running, waits: true},
		"other files now and then":       {touched: map[string][]string{"a": {"x"}, "b": {"z"}}, at: running},
		"a name that looks like a glob":  {touched: map[string][]string{"a": {"[x]*"}, "b": {"[x]*"}}, at: running, waits: true},
		"its past, while it lands":       {touched: map[string][]string{"a": {"x"}, "b": {"x"}}, at: TaskState{Status: Landing, Loop: "l", Commit: "c1"}, waits: true},
		"its past, while a person looks": {touched: map[string][]string{"a": {"x"}, "b": {"x"}}, at: TaskState{Status: InReview, Rests: ForPerson, Loop: "l"}, waits: true},
		"its past, when it has landed":   {touched: map[string][]string{"a": {"x"}, "b": {"x"}}, at: TaskState{Status: Done, Loop: "l", Landed: "c1"}},
		"its past, when it has failed":   {touched: map[string][]string{"a": {"x"}, "b": {"x"}}, at: TaskState{Status: Failed, Loop: "l"}},
	} {
		g, s := beside(t, tt.first, tt.second, tt.at)
		if got := starts(g, s, tt.touched, "b"); got == tt.waits {
			t.Errorf("%s: begins is %v", name, got)
		}
	}
}

// What a loop left is remembered when its task is begun anew.
func TestPastIsKept(t *testing.T) {
	t.Parallel()
	_, s := beside(t, nil, nil, TaskState{Status: Failed, Loop: "l", Commit: "c1", Digest: "d"})
	for _, want := range []string{"c1", "c1"} {
		next, err := Apply(s, Resumed{Stamp: loop.Stamp{At: time.Unix(1e9, 0)}, Retry: true})
		if err != nil {
			t.Fatal(err)
		}
		at := next.Tasks[0]
		if at.Commit != "" || at.Left() != want || at.Status != Pending {
			t.Errorf("%+v", at)
		}
		s = next
		s.Tasks[0].Status = Failed // the try before it changed nothing
	}
}

// Whatever is known of files: no task begins that shares one with a task at work,
// or with one that begins in the same breath; and something always goes on.
func TestNoTwoShareAFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		files := rapid.SliceOfN(rapid.SampledFrom([]string{"a.go", "dir/b.go", "dir/c", "d"}), 0, 3)
		globs := rapid.SliceOfN(rapid.SampledFrom([]string{"a.go", "dir/**", "dir", "*.go", "d"}), 0, 2)
		var p Plan
		s := State{Status: loop.Running, Stage: Working, Tip: "c0", Rules: Rules{Parallel: 9, PerTask: 3}}
		touched := map[string][]string{}
		for i := range rapid.IntRange(1, 6).Draw(t, "tasks") {
			id := fmt.Sprint("t", i)
			p.Tasks = append(p.Tasks, Task{ID: id, Title: id, Files: globs.Draw(t, "globs")})
			touched[id] = files.Draw(t, "files")
			s.Tasks = append(s.Tasks, TaskState{ID: id, Status: rapid.SampledFrom([]Status{Pending, Pending, Running, Landing, Done}).Draw(t, "status"), Loop: "l" + id})
		}
		g, err := p.Graph()
		if err != nil {
			t.Fatal(err)
		}
		var begun []string
		all := Next(g, s, touched)
		for _, a := range all {
			if a.Do == DoStart {
				begun = append(begun, a.Task)
			}
		}
		busy := func(id string) bool { return s.Task(id).busy() || slices.Contains(begun, id) }
		share := func(a, b Task) bool {
			x, y := slices.Concat(a.Files, touched[a.ID]), slices.Concat(b.Files, touched[b.ID])
			return len(scope.Overlaps(x, y)) > 0
		}
		working := 0
		for i, a := range p.Tasks {
			if busy(a.ID) {
				working++
			}
			for _, b := range p.Tasks[i+1:] {
				both := slices.Contains(begun, a.ID) && busy(b.ID) || slices.Contains(begun, b.ID) && busy(a.ID)
				if both && share(a, b) {
					t.Errorf("%s and %s share a file", a.ID, b.ID)
				}
			}
		}
		open := slices.ContainsFunc(s.Tasks, func(t TaskState) bool { return t.Status == Pending })
		if open && working == 0 {
			t.Errorf("nothing goes on: %+v", all)
		}
	})
}
