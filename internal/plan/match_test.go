package plan

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ralph/internal/loop"
)

// Tasks are written "id title digest".
func record(all ...string) State {
	var s State
	for _, w := range all {
		f := strings.Fields(w)
		s.Tasks = append(s.Tasks, TaskState{ID: f[0], Title: f[1], Digest: f[2], Status: Done, Loop: "loop-of-" + f[1]})
	}
	return s
}

func inFile(all ...string) []ReadTask {
	var out []ReadTask
	for _, w := range all {
		f := strings.Fields(w)
		out = append(out, ReadTask{ID: f[0], Title: f[1], Digest: f[2], Status: Pending})
	}
	return out
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before State
		now    []ReadTask
		want   string // the title of the record that each task of the file has
		moves  string
	}{
		"nothing":               {record("1 a A", "2 b B"), inFile("1 a A", "2 b B"), "a b", "map[]"},
		"one in front":          {record("1 a A", "2 b B"), inFile("1 z Z", "2 a A", "3 b B"), "- a b", "map[1:2 2:3]"},
		"one is gone":           {record("1 a A", "2 b B", "3 c C"), inFile("1 b B", "2 c C"), "b c", "map[1:1-gone 2:1 3:2]"},
		"they change places":    {record("1 a A", "2 b B"), inFile("1 b B", "2 a A"), "b a", "map[1:2 2:1]"},
		"other words":           {record("1 a A"), inFile("1 a A2"), "a", "map[]"},
		"another title":         {record("1 a A"), inFile("1 x X"), "a", "map[]"},
		"moved, other words":    {record("1 a A", "2 b B"), inFile("1 z Z", "2 a A2", "3 b B"), "- a b", "map[1:2 2:3]"},
		"alike, with one added": {record("1 a A", "2 a A"), inFile("1 z Z", "2 a A", "3 a A"), "- a a", "map[1:3]"},
		"a room for gone ones":  {record("1 a A", "1-gone g G", "2 b B"), inFile("1 b B"), "b", "map[1:1-gone-2 2:1]"},
		"all new":               {record(), inFile("1 a A"), "-", "map[]"},
	} {
		var got []string
		for _, m := range c.before.Match(c.now) {
			if m == nil {
				got = append(got, "-")
				continue
			}
			got = append(got, m.Title)
		}
		if words := strings.Join(got, " "); words != c.want {
			t.Errorf("%s: found %s, want %s", name, words, c.want)
		}
		if moves := fmt.Sprint(c.before.Moves(c.now)); moves != c.moves {
			t.Errorf("%s: moves %s, want %s", name, moves, c.moves)
		}
	}
}

// Whatever becomes of the numbers, what has landed under some words stays with
// them, every id stands once, and what is named by its id is named by the new one.
func TestNumberedAnew(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "tasks")
		var words []string
		for i := range n {
			words = append(words, fmt.Sprintf("t%d w%d d%d", i, i, i))
		}
		s := record(words...)
		s.Status, s.Rules.Only = loop.Running, []string{"t0"}
		s.Questions = []Question{{Task: "t0"}}
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "order")
		var now []string
		for i, w := range order[:rapid.IntRange(1, 8).Draw(t, "left")] {
			now = append(now, fmt.Sprintf("t%d w%d d%d", i, w, w))
		}
		after, err := Apply(s, Read{Tasks: inFile(now...)})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, task := range after.Tasks {
			if seen[task.ID] {
				t.Fatalf("%s stands twice in %+v", task.ID, after.Tasks)
			}
			seen[task.ID] = true
			old := s.Task("t" + strings.TrimPrefix(task.Title, "w"))
			if want := old != nil; (task.Loop != "") != want || want && task.Loop != old.Loop {
				t.Fatalf("%s has the loop %q, was %+v", task.Title, task.Loop, old)
			}
			if task.Title == "w0" && (after.Rules.Only[0] != task.ID || after.Questions[0].Task != task.ID) {
				t.Fatalf("t0 is %s now: %v, %v", task.ID, after.Rules.Only, after.Questions[0].Task)
			}
		}
		if s.Rules.Only[0] != "t0" || s.Questions[0].Task != "t0" || s.Tasks[0].ID != "t0" {
			t.Fatal("the state before was changed")
		}
	})
}

func TestRenamed(t *testing.T) {
	t.Parallel()
	for _, e := range []Event{
		Stopped{Task: "a"},
		Repairing{Task: "a"},
		Landed{Task: "a"},
		LandingStale{Task: "a"},
		Repaired{Task: "a"},
		NotLanded{Task: "a"},
		ReviewEnded{Review: Review{Task: "a"}},
		Asked{Question: Question{Task: "a"}},
		Broken{Task: "a"},
		ReviewHeld{Task: "a"},
		Found{Task: "a"},
		Found{Findings: []Finding{{Task: "a"}}},
	} {
		if got := fmt.Sprintf("%+v", Renamed(e, "a", "NEW")); !strings.Contains(got, "Task:NEW") {
			t.Errorf("%s: %s", e.Name(), got)
		}
		if got := fmt.Sprintf("%+v", Renamed(e, "b", "NEW")); strings.Contains(got, "NEW") {
			t.Errorf("%s: %s", e.Name(), got)
		}
	}
}
