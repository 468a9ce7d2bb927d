package planfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ralph/internal/plan"
)

// Every plan in every format: what is lost is said, in a golden file. The format
// that holds everything loses nothing.
func TestRender(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	all := plans(t)
	for _, name := range sortedNames(all) {
		f := mustRead(t, name, all[name])
		for _, as := range Rendered() {
			text, lost, err := Render(f.Plan, as)
			if err != nil {
				t.Errorf("%s as %s: %v", name, as, err)
				continue
			}
			if as == Object && len(lost) > 0 {
				t.Errorf("%s: %v", name, lost)
			}
			if back, err := ReadAs("x", text, as); err != nil || len(back.Plan.Tasks) != len(f.Plan.Tasks) {
				t.Errorf("%s as %s: %v\n%s", name, as, err, text)
			}
			if !slices.Contains([]string{"prd.json", "tasks.md", "plan.json"}, name) {
				continue
			}
			fmt.Fprintf(&table, "%s as %s\n", name, as)
			for _, l := range lost {
				if !slices.Contains([]string{"prd.json", "tasks.md", "plan.json"}, name) {
					continue
				}
				fmt.Fprintf(&table, "\t%s: %s\n", l.Task, l.What)
			}
		}
	}
	golden := filepath.Join("testdata", "lost.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := differ(string(want), table.String()); diff != "" {
		t.Error(diff)
	}
}

func sortedNames(all map[string][]byte) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// What a format has taken over it does not lose when it is written again.
func TestRenderAgain(t *testing.T) {
	t.Parallel()
	for name, data := range plans(t) {
		for _, as := range Rendered() {
			once, _, err := Render(mustRead(t, name, data).Plan, as)
			if err != nil {
				t.Fatal(err)
			}
			f, err := ReadAs("x", once, as)
			if err != nil {
				t.Fatal(err)
			}
			twice, lost, err := Render(f.Plan, as)
			if err != nil || len(lost) > 0 {
				t.Errorf("%s as %s: %v, %v\n%s\n%s", name, as, err, lost, once, twice)
			}
		}
	}
}

// Whatever stands in a plan, it is written as something that reads back as the
// same tasks, or refused.
func TestRenderAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawAny(t)
		if p.Validate() != nil {
			t.Skip("no plan")
		}
		for _, as := range Rendered() {
			text, lost, err := Render(p, as)
			if err != nil {
				continue
			}
			f, err := ReadAs("x", text, as)
			if err != nil || len(f.Plan.Tasks) != len(p.Tasks) {
				t.Fatalf("%s: %v\n%s", as, err, text)
			}
			if as == Object && len(lost) > 0 {
				t.Fatalf("%v in\n%s", lost, text)
			}
		}
	})
}

func drawAny(t *rapid.T) plan.Plan {
	text := rapid.SampledFrom([]string{"", "do it", "two\nlines", "## a heading", "### Task 9: x", "- [ ] a box", "```\nopen", "<!-- open", "  - [x] 2.1 indented", "**Dependencies:** Task 1", "\"quoted\" \\ back", "_Depends: 7_", "tab\there", "ünïcode → ✓", "---\nfront: 1\n---"})
	p := plan.Plan{Title: text.Draw(t, "title"), Constraints: text.Draw(t, "constraints"), Gaps: rapid.SliceOfN(text, 0, 2).Draw(t, "gaps")}
	for i := range rapid.IntRange(1, 4).Draw(t, "tasks") {
		task := plan.Task{
			ID: fmt.Sprint("t", i), Title: "task " + text.Draw(t, "title"), Text: text.Draw(t, "text"), Agent: text.Draw(t, "agent"),
			Criteria: rapid.SliceOfN(text, 0, 2).Draw(t, "criteria"), Commands: rapid.SliceOfN(text, 0, 1).Draw(t, "commands"),
			Status: rapid.SampledFrom([]plan.Status{plan.Pending, plan.Done, plan.Running, plan.Failed, plan.Skipped}).Draw(t, "status"),
			Group:  text.Draw(t, "group"), Optional: rapid.Bool().Draw(t, "optional"),
		}
		if task.Optional && task.Status == plan.Pending {
			task.Status = plan.Skipped // as every reader has it
		}
		for j := range p.Tasks {
			if rapid.Bool().Draw(t, "needs") {
				task.Needs = append(task.Needs, plan.Need{On: p.Tasks[j].ID, Why: plan.Stated})
			}
		}
		p.Tasks = append(p.Tasks, task)
	}
	return p
}
