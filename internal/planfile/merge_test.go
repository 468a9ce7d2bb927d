package planfile

import (
	"bytes"
	"strings"
	"testing"

	"ralph/internal/plan"
)

func doneOf(id string) Change { return Change{Kind: SetTask, Task: id, Status: plan.Done} }

// A person edits the file during the run: what can be found is written, what
// cannot is left, and nothing else is touched.
func TestMerge(t *testing.T) {
	t.Parallel()
	const numbered = "### Task 1: one\n- [ ] a\n### Task 2: two\n- [ ] b\n"
	for name, c := range map[string]struct {
		file, before, now string
		changes           []Change
		want              string // "" is now, as it is
		left              []Why
	}{
		"nothing happened":        {"a.md", "- [ ] x\n", "- [ ] x\n", []Change{doneOf("x")}, "- [x] x\n", nil},
		"something was added":     {"a.md", "- [ ] x\n", "# new\n- [ ] w\n- [ ] x\n", []Change{doneOf("x")}, "# new\n- [ ] w\n- [x] x\n", nil},
		"a task is gone":          {"a.md", "- [ ] x\n- [ ] y\n", "- [ ] x\n", []Change{doneOf("y"), doneOf("x")}, "- [x] x\n", []Why{NoSuchTask}},
		"a task has another name": {"a.json", `[{"id":"a","title":"A"}]`, `[{"id":"a","title":"B"}]`, []Change{doneOf("a")}, "", []Why{Renamed}},
		"numbered anew": {
			"a.md", numbered, "### Task 1: zero\n- [ ] z\n### Task 2: one\n- [ ] a\n### Task 3: two\n- [ ] b\n",
			[]Change{doneOf("task-2")},
			"### Task 1: zero\n- [ ] z\n### Task 2: one\n- [ ] a\n### Task 3: two\n- [x] b\n", nil,
		},
		"one of two alike is gone": {"a.md", "- [ ] x\n- [ ] x\n", "- [ ] x\n", []Change{doneOf("x-2")}, "", []Why{Ambiguous}},
		"both alike are there":     {"a.md", "- [ ] x\n- [ ] x\n", "- [ ] x\n- [ ] y\n- [ ] x\n", []Change{doneOf("x-2")}, "- [ ] x\n- [ ] y\n- [x] x\n", nil},
		"no plan any more":         {"a.md", "- [ ] x\n", "see elsewhere\n", []Change{doneOf("x")}, "", []Why{Unreadable}},
		"broken":                   {"a.json", `[{"id":"a","title":"A"}]`, `[{"id":"a","title":"A"`, []Change{doneOf("a")}, "", []Why{Unreadable}},
		"empty":                    {"a.md", "- [ ] x\n", "", []Change{doneOf("x")}, "", []Why{Unreadable}},
		"done by a person":         {"a.md", "- [ ] x\n", "- [x] x\n", []Change{{Kind: SetTask, Task: "x", Status: plan.Pending}}, "", []Why{Backwards}},
		"asked for again":          {"a.md", "- [ ] x\n", "- [x] x\n", []Change{{Kind: SetTask, Task: "x", Status: plan.Pending, Again: true}}, "- [ ] x\n", nil},
		"gaps of both": {
			"a.md", "---\ngaps: []\n---\n## A\n", "---\ngaps:\n- mine\n---\n## A\n",
			[]Change{{Kind: AddGap, Text: "found"}},
			"---\ngaps:\n- mine\n- \"found\"\n---\n## A\n", nil,
		},
		"a gap that a person resolved": {"a.md", "---\ngaps: [a]\n---\n## A\n", "---\ngaps: []\n---\n## A\n", []Change{{Kind: RemoveGap, Text: "a"}}, "", nil},
		"never heard of":               {"a.md", "- [ ] x\n", "- [ ] x\n", []Change{doneOf("y")}, "", []Why{NoSuchTask}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := mustRead(t, c.file, []byte(c.before))
			w := Merge(f, []byte(c.now), c.changes)
			want := c.want
			if want == "" {
				want = c.now
			}
			if string(w.Data) != want {
				t.Errorf("got %q, want %q", w.Data, want)
			}
			var left []Why
			for _, l := range w.Left {
				left = append(left, l.Why)
			}
			if diff := differ(c.left, left); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	before := mustRead(t, "a.md", []byte("### Task 1: one\n### Task 2: two\n")).Plan
	after := mustRead(t, "a.md", []byte("### Task 1: two\n### Task 2: three\n")).Plan
	for id, want := range map[string]struct {
		id  string
		why Why
	}{"task-1": {"", Renamed}, "task-2": {"task-1", ""}, "task-3": {"", NoSuchTask}} {
		m := matcher{before: index(before), after: index(after)}
		if got, why := m.match(id); got != want.id || why != want.why {
			t.Errorf("%s: %q, %q", id, got, why)
		}
	}
}

// Exactly these bytes.
func TestWriteExactly(t *testing.T) {
	t.Parallel()
	all := plans(t)
	for name, c := range map[string]struct {
		file     string
		changes  []Change
		old, new string // pairs, one a line
	}{
		"a field that is missing": {"prd.json", []Change{{Kind: SetTask, Task: "ui-001", Status: plan.Running, Attempts: 1}}, "\t\"phase\": 2\n    }", "\t\"phase\": 2,\n\t\"status\": \"running\",\n\t\"attempts\": 1\n    }"},
		"one in a line":           {"prd.json", []Change{{Kind: SetTask, Task: "api-001", Output: "o.md"}}, `"attempts":0}`, `"attempts":0,"output":"o.md"}`},
		"a section that is new":   {"sections.md", []Change{doneOf("section-4-alarm")}, "  - {section: \"Section 2\", status: in_progress}\n", "  - {section: \"Section 2\", status: in_progress}\n  - section: \"Section 4: Alarm\"\n    status: complete\n"},
		"a name in brackets":      {"names.md", []Change{doneOf("view")}, "[Tables]", "[Tables, \"View\"]"},
		"a parent with its last":  {".kiro/specs/orchestrator/tasks.md", []Change{doneOf("2.2")}, "- [-] 2. Build the client\n  - [x] 2.1 Connect\n    - _Requirements: 2.1_\n  - [-] 2.2 Submit\n    - [ ]", "- [x] 2. Build the client\n  - [x] 2.1 Connect\n    - _Requirements: 2.1_\n  - [x] 2.2 Submit\n    - [x]"},
		"a capital":               {"speckit.md", []Change{doneOf("T003")}, "- [ ] T003", "- [X] T003"},
		"the last subtask":        {"taskmaster.json", []Change{doneOf("2.2"), doneOf("2.3")}, `"status": "in-progress"`, `"status": "done"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := mustRead(t, c.file, all[c.file])
			w := f.Write(c.changes)
			if len(w.Left) > 0 || bytes.Count(all[c.file], []byte(c.old)) != 1 {
				t.Fatalf("left %v", w.Left)
			}
			want := strings.Replace(string(all[c.file]), c.old, c.new, 1)
			if c.file == "taskmaster.json" {
				want = strings.Replace(want, `"title": "Read the body", "description": "", "status": "pending"`, `"title": "Read the body", "description": "", "status": "done"`, 1)
				want = strings.Replace(want, `"title": "Tell about errors", "status": "pending"`, `"title": "Tell about errors", "status": "done"`, 1)
			}
			if diff := differ(want, string(w.Data)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
