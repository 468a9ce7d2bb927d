package planfile

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/plan"
)

func stated(ids ...string) []plan.Need { return needs(plan.Stated, ids...) }

func needs(why plan.Why, ids ...string) []plan.Need {
	var out []plan.Need
	for _, id := range ids {
		out = append(out, plan.Need{On: id, Why: why})
	}
	return out
}

func check(t *testing.T, name, text string, want File) {
	t.Helper()
	got, err := Read(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := differ(want, got); diff != "" {
		t.Error(diff)
	}
}

const prd = `{
  "meta": {"name": "Shop", "version": "1.0.0", "createdAt": "2026-01-02T03:04:05Z"},
  "tasks": [
    {"id": "model", "title": "Write the cart's model", "description": "With\ntests.", "agent": "MARS",
     "status": "done", "dependencies": [], "phase": 0, "attempts": 2, "createdAt": "2026-01-02T03:04:05Z",
     "output": "/tmp/model.md", "todos": [{"id": "t1"}]},
    {"id": 7, "title": "Serve it", "description": "", "agent": "IO", "status": "ready",
     "dependencies": ["model"], "phase": 1, "attempts": 0, "acceptanceCriteria": ["GET /cart answers 200"]},
    {
      "id": "show", "title": "Show it", "status": "pending", "dependencies": ["model", 7], "phase": 2
    }
  ]
}
`

func TestPRD(t *testing.T) {
	t.Parallel()
	check(t, "shop.json", prd, File{Format: PRD, Plan: plan.Plan{Title: "Shop", Tasks: []plan.Task{
		{ID: "model", Title: "Write the cart's model", Text: "With\ntests.", Agent: "MARS", Status: plan.Done, Attempts: 2, Output: "/tmp/model.md", Todos: []plan.Todo{{ID: "t1", Status: plan.TodoPending}}, Line: 4},
		{ID: "7", Title: "Serve it", Agent: "IO", Status: plan.Ready, Phase: 1, Needs: stated("model"), Criteria: []string{"GET /cart answers 200"}, Line: 7},
		{ID: "show", Title: "Show it", Status: plan.Pending, Phase: 2, Needs: stated("model", "7"), Line: 9},
	}}})
}

func aStory(id string, priority int, status plan.Status, line int, needs []plan.Need) plan.Task {
	return plan.Task{ID: id, Title: "do " + id, Priority: priority, Status: status, Line: line, Needs: needs}
}

func TestStories(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want File
	}{
		"in the order of their priorities": {
			`{"project": "shop", "branchName": "ralph/x", "userStories": [
			{"id": "c", "title": "do c", "priority": 3, "passes": false, "notes": ""},
			{"id": "a", "title": "do a", "priority": 1, "passes": true},
			{"id": "b", "title": "do b", "priority": 1, "passes": false}]}`,
			File{Format: Stories, Plan: plan.Plan{Title: "shop", Tasks: []plan.Task{
				aStory("c", 3, plan.Pending, 2, needs(plan.Priority, "b")),
				aStory("a", 1, plan.Done, 3, nil),
				aStory("b", 1, plan.Pending, 4, needs(plan.Order, "a")),
			}}},
		},
		"with stated dependencies order is none": {
			`{"userStories": [
			{"id": "a", "title": "do a", "priority": 1},
			{"id": "b", "title": "do b", "priority": 2, "dependsOn": ["a"]},
			{"id": "c", "title": "do c", "priority": 3, "dependencies": []}]}`,
			File{Format: Stories, Plan: plan.Plan{Tasks: []plan.Task{
				aStory("a", 1, plan.Pending, 2, nil), aStory("b", 2, plan.Pending, 3, stated("a")), aStory("c", 3, plan.Pending, 4, nil),
			}}},
		},
		"a bare list, no numbers, no criteria, null": {
			`[{"id": 1, "title": "do 1", "passes": null},
			{"id": "2", "title": "do 2", "priority": 5, "acceptanceCriteria": null}]`,
			File{Format: Stories, Plan: plan.Plan{Tasks: []plan.Task{
				aStory("1", 6, plan.Pending, 1, needs(plan.Priority, "2")), aStory("2", 5, plan.Pending, 2, nil),
			}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, "prd.json", c.text, c.want)
		})
	}
}

// TestKeysOfOthers: what plans of the same shape call otherwise is understood, and
// what nobody knows is told.
func TestKeysOfOthers(t *testing.T) {
	t.Parallel()
	f, err := Read("p.json", []byte(`{"schema": "ralph.plan/v1", "tasks": [
{"id": "a", "title": "A", "description": "words", "acceptanceCriteria": ["it works"]},
{"id": "b", "title": "B", "dependencies": ["a"], "depends": ["a"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	a, b := f.Plan.Tasks[0], f.Plan.Tasks[1]
	if a.Text != "words" || !slices.Equal(a.Criteria, []string{"it works"}) || len(b.Needs) != 1 || b.Needs[0].On != "a" {
		t.Errorf("%+v\n%+v", a, b)
	}
	if want := []Warning{{Line: 3, Message: "task b has \"depends\", which is not read"}}; !slices.Equal(f.Warnings, want) {
		t.Errorf("%+v", f.Warnings)
	}
}

// A skipped subtask has no status in Taskmaster's format, so that its parent
// stays open: marked as done, it would make the subtask read as done.
func TestSkippedSubtaskKeepsItsParentOpen(t *testing.T) {
	t.Parallel()
	const file = `{"master":{"tasks":[{"id":1,"title":"whole","status":"pending","dependencies":[],"subtasks":[
{"id":1,"title":"a","status":"done","dependencies":[]},
{"id":2,"title":"b","status":"pending","dependencies":[]}]}]}}`
	f, err := Read("tasks.json", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	w := f.Write([]Change{{Kind: SetTask, Task: "1.2", Status: plan.Skipped}})
	if string(w.Data) != file {
		t.Errorf("written: %s", w.Data)
	}
	w = f.Write([]Change{{Kind: SetTask, Task: "1.2", Status: plan.Done}})
	if got := strings.Count(string(w.Data), `"done"`); got != 3 {
		t.Errorf("%d done, want the parent and both subtasks: %s", got, w.Data)
	}
}
