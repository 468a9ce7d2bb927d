package planner

import (
	"testing"

	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// TestATickIsNoOtherTask: what ralph writes into a file does not make another
// task of a task, in any format.
func TestATickIsNoOtherTask(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"tasks.md":   "# P\n\n### Task 1: a\n\nDo it.\n\n- [ ] one\n- [ ] two\n\n### Task 2: b\n\n- [ ] three\n",
		"list.md":    "# P\n\n- [ ] a\n  - [ ] sub\n- [ ] b\n",
		"plan.md":    "---\nstatus: pending\ngaps: []\nedge_cases: []\n---\n\n# P\n\n## A\n\nDo it.\n\n- [ ] step\n\n## B\n\nToo.\n",
		"prd.json":   `{"tasks": [{"id": "a", "title": "a", "status": "ready", "dependencies": [], "attempts": 0, "todos": [{"content": "x", "status": "pending"}]}, {"id": "b", "title": "b", "status": "pending", "dependencies": ["a"]}]}`,
		"story.json": `{"userStories": [{"id": "US-1", "title": "a", "description": "d", "acceptanceCriteria": ["c"], "priority": 1, "passes": false, "notes": ""}]}`,
	} {
		f, err := planfile.Read(name, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w := f.Write([]planfile.Change{
			{Kind: planfile.SetTask, Task: f.Plan.Tasks[0].ID, Status: plan.Done, Attempts: 2, Output: "out.md"},
			{Kind: planfile.AddGap, Text: "a gap"},
			{Kind: planfile.SetPlan, Plan: plan.PlanInProgress},
		})
		if string(w.Data) == text {
			t.Errorf("%s: nothing was written", name)
		}
		for i, before := range f.Plan.Tasks {
			if after := w.File.Plan.Tasks[i]; digest(before) != digest(after) {
				t.Errorf("%s: %s became another task:\n%q\n%q", name, before.ID, before.Text, after.Text)
			}
		}
	}
}
