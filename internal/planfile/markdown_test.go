package planfile

import (
	"strings"
	"testing"

	"ralph/internal/plan"
)

const sections = `---
status: in_progress
gaps:
  - "what about x?"
edge_cases: []
progress:
  - section: "Section 1"
    status: complete
  - section: Section 2
    status: in_progress
last_review: 2026-01-02T03:04:05Z
---

# Accounts

Why.

## Section 1: Tables

A users table.

` + "```sql\n## not a heading\n```" + `

## Section 2: Model
### Fields
name

## Überblick
`

func TestSections(t *testing.T) {
	t.Parallel()
	want := File{Format: Sections, Plan: plan.Plan{
		Title: "Accounts", Constraints: "Why.", Sectioned: true, Status: plan.PlanInProgress,
		Gaps: []string{"what about x?"}, LastReview: "2026-01-02T03:04:05Z", Tasks: []plan.Task{
			{ID: "section-1-tables", Title: "Section 1: Tables", Text: "A users table.\n\n```sql\n## not a heading\n```", Status: plan.Done, Line: 18},
			{ID: "section-2-model", Title: "Section 2: Model", Text: "### Fields\nname", Status: plan.Running, Needs: needs(plan.Order, "section-1-tables"), Line: 26},
			{ID: "berblick-00c85e", Title: "Überblick", Status: plan.Pending, Needs: needs(plan.Order, "section-2-model"), Line: 30},
		},
	}}
	check(t, "plan.md", sections, want)
	check(t, "plan.md", "\xef\xbb\xbf"+strings.ReplaceAll(sections, "\n", "\r\n"), want)
}

// A plan that has not begun has a status and sections. Boxes make a checklist of
// such a file, and other values of status are no plan's.
func TestSectionsThatHaveNotBegun(t *testing.T) {
	t.Parallel()
	check(t, "plan.md", "---\nstatus: pending\n---\n# New\n\n## One\nWrite.\n\n## Notes\n", File{
		Format: Sections, Warnings: []Warning{{Line: 9, Message: `the section "Notes" is not read as a unit of work`}},
		Plan: plan.Plan{Title: "New", Sectioned: true, Status: plan.PlanPending, Tasks: []plan.Task{
			{ID: "one", Title: "One", Text: "Write.", Status: plan.Pending, Line: 6},
		}},
	})
	for text, want := range map[string]Format{
		"---\nstatus: pending\n---\n## One\n- [ ] write\n": Checklist,
		"---\nstatus: draft\n---\n## One\n":                "",
		"---\nstatus: pending\n---\n## Notes\n":            "",
	} {
		if f, err := Read("plan.md", []byte(text)); f.Format != want || (err != nil) != (want == "") {
			t.Errorf("%q: format %q, %v", text, f.Format, err)
		}
	}
}

// What progress says of a section counts, whatever the status of the plan says: a
// section that was added to a finished plan is open, and that is told.
func TestSectionsThatAreOver(t *testing.T) {
	t.Parallel()
	for status, want := range map[string][3]plan.Status{
		"archived":    {plan.Running, plan.Done, plan.Pending},
		"complete":    {plan.Running, plan.Done, plan.Pending},
		"in_progress": {plan.Running, plan.Done, plan.Pending},
		"":            {plan.Running, plan.Done, plan.Pending},
	} {
		text := "---\nstatus: " + status + "\nprogress:\n  - {section: a, status: in_progress}\n  - {section: b, status: complete}\n---\n## A\n## B\n## C\n"
		f, err := Read("x.md", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]plan.Status{f.Plan.Tasks[0].Status, f.Plan.Tasks[1].Status, f.Plan.Tasks[2].Status}; got != want {
			t.Errorf("%q: got %v, want %v", status, got, want)
		}
		if told := len(f.Warnings) == 1 && f.Warnings[0].Line == 2; told != (status == "complete" || status == "archived") {
			t.Errorf("%q: told %v", status, f.Warnings)
		}
	}
}

// Who renames a section that progress names has a unit that is open, and a file
// that is read; one that is only numbered anew is found by its words.
func TestSectionsRenamed(t *testing.T) {
	t.Parallel()
	const front = "---\nprogress:\n  - section: \"Section 1: one\"\n    status: complete\n  - section: \"Section 2: two\"\n    status: complete\n---\n"
	for name, c := range map[string]struct {
		text string
		want []plan.Status
		told int
	}{
		"renamed":                  {"## Section 1: uno\n## Section 2: two\n", []plan.Status{plan.Pending, plan.Done}, 1},
		"numbered anew":            {"## Section 1: zero\n## Section 2: one\n## Section 3: two\n", []plan.Status{plan.Pending, plan.Done, plan.Done}, 0},
		"the same words twice":     {"## Section 3: one\n## Section 4: one\n## Section 2: two\n", []plan.Status{plan.Pending, plan.Pending, plan.Done}, 1},
		"one has the words and is": {"## Section 1: one\n## Phase 2: one\n## Section 2: two\n", []plan.Status{plan.Done, plan.Pending, plan.Done}, 0},
	} {
		f := mustRead(t, "x.md", []byte(front+c.text))
		var got []plan.Status
		for _, task := range f.Plan.Tasks {
			got = append(got, task.Status)
		}
		if diff := differ(c.want, got); diff != "" || len(f.Warnings) != c.told {
			t.Errorf("%s: %s told %v", name, diff, f.Warnings)
		}
		w := f.Write([]Change{doneOf(f.Plan.Tasks[0].ID)})
		if !strings.Contains(string(w.Data), "section: \"Section 1: one\"\n    status: complete\n") {
			t.Errorf("%s: the old entry is gone: %s", name, w.Data)
		}
	}
}

const numbered = `# Limits

**Goal:** wait.

## Validation Commands
- ` + "`go test ./...`" + `
- [ ] ` + "`go vet ./...` must pass" + `
- prose

### Task 1: Add the fields

**Files:**
- Modify: ` + "`pkg/config.go:12-40`, `pkg/values.go`" + `
- Test: ` + "`pkg/config_test.go`" + `

- [x] add the fields
- [X] write tests

` + "````markdown\n```\n### Task 9: an example in a fence\n```\n- [ ] no step\n````" + `

### Task 2.5: Use them
- [x] **Step 1: begin**
- [ ] **Step 2: end**
<!-- - [ ] not
### Task 8: commented out
-->
### Iteration 3a: No steps
## After
### Not a task
- [ ] no step either
`

func TestTasks(t *testing.T) {
	t.Parallel()
	f, err := Read("2026-01-02-limits.md", []byte(numbered))
	if err != nil {
		t.Fatal(err)
	}
	text := f.Plan.Tasks[0].Text
	if !strings.HasPrefix(text, "**Files:**\n- Modify") || !strings.HasSuffix(text, "- [ ] no step\n````") {
		t.Errorf("the text is %q", text)
	}
	f.Plan.Tasks[0].Text, f.Plan.Tasks[1].Text = "", ""
	step := func(text string, s plan.TodoStatus) plan.Todo { return plan.Todo{Text: text, Status: s} }
	want := File{Format: Tasks, Plan: plan.Plan{
		Title: "Limits", Constraints: "**Goal:** wait.", Commands: []string{"go test ./...", "go vet ./..."},
		Tasks: []plan.Task{
			{ID: "task-1", Title: "Add the fields", Status: plan.Done, Files: []string{"pkg/config.go", "pkg/values.go", "pkg/config_test.go"}, Todos: []plan.Todo{step("add the fields", plan.TodoCompleted), step("write tests", plan.TodoCompleted)}, Line: 10},
			{ID: "task-2.5", Title: "Use them", Status: plan.Pending, Needs: needs(plan.Order, "task-1"), Todos: []plan.Todo{step("**Step 1: begin**", plan.TodoCompleted), step("**Step 2: end**", plan.TodoPending)}, Line: 26},
			{ID: "iteration-3a", Title: "No steps", Status: plan.Pending, Needs: needs(plan.Order, "task-2.5"), Line: 32},
		},
	}}
	if diff := differ(want, f); diff != "" {
		t.Error(diff)
	}
}

const checklist1 = `# Fix plan
## Priority 1: Foundation
- [x] Set up the project
  with the usual tools
  - [x] builds
  - [ ] tests run
* [ ] Store todos in a file that is found from every folder

  ` + "```\n  ~/.todos.json\n  ```" + `
- [~] begun
## Later
### Future work
- [ ] not now
### Soon
+ [ ] Set up the project
1. [ ] numbered
## Success criteria
- [ ] everything works
## Discovered
<!-- - [ ] found later -->
> - [ ] quoted
`

func TestChecklist(t *testing.T) {
	t.Parallel()
	long := "Store todos in a file that is found from every folder"
	first, soon := "Priority 1: Foundation", "Soon"
	check(t, ".ralph/fix_plan.md", checklist1, File{Format: Checklist, Warnings: []Warning{
		{14, `text under "Future work" is not read as a task`}, {19, `text under "Success criteria" is not read as a task`},
	}, Plan: plan.Plan{Title: "Fix plan", Tasks: []plan.Task{
		{ID: "set-up-the-project", Title: "Set up the project", Text: "with the usual tools", Criteria: []string{"builds", "tests run"}, Status: plan.Done, Group: first, Line: 3},
		{ID: slug(long), Title: long, Text: "```\n~/.todos.json\n```", Status: plan.Pending, Needs: needs(plan.Order, "set-up-the-project"), Group: first, Line: 7},
		{ID: "begun", Title: "begun", Status: plan.Pending, Needs: needs(plan.Order, slug(long)), Group: first, Line: 12},
		{ID: "set-up-the-project-2", Title: "Set up the project", Status: plan.Pending, Needs: needs(plan.Order, "begun"), Group: soon, Line: 17},
		{ID: "numbered", Title: "numbered", Status: plan.Pending, Needs: needs(plan.Order, "set-up-the-project-2"), Group: soon, Line: 18},
	}}})
}

// An id does not depend on what stands around its task.
func TestNames(t *testing.T) {
	t.Parallel()
	n := names{}
	for _, c := range [][2]string{
		{"Write tests", "write-tests"},
		{"write  tests!", "write-tests-2"},
		{"Write tests 2", "write-tests-2-2"},
		{"Write tests", "write-tests-3"},
		{"実装する", "task-" + slug("実装する")[5:]},
		{"...", "task-c31c19"},
		{strings.Repeat("a", 30), strings.Repeat("a", 30)},
	} {
		if got := n.of(c[0]); got != c[1] {
			t.Errorf("%q: got %s, want %s", c[0], got, c[1])
		}
	}
	if a, b := slug(strings.Repeat("a", 31)+"x"), slug(strings.Repeat("a", 31)+"y"); a == b || len(a) != longest+7 {
		t.Errorf("long titles: %s and %s", a, b)
	}
}
