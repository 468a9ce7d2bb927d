package planfile

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/plan"
)

func differ(want, got any) string { return cmp.Diff(want, got, cmpopts.IgnoreUnexported(File{})) }

// Every mistake is told with file and line.
func TestRefused(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2)
	front := "---\ngaps: []\n"
	for name, c := range map[string]struct{ file, text, want string }{
		"empty":             {"a.md", " \n\n", "a.md: the file is empty"},
		"only a mark":       {"a.md", "\xef\xbb\xbf", "a.md: the file is empty"},
		"binary":            {"a.md", "a\x00b", "a.md: this is not text"},
		"large":             {"a.md", strings.Repeat("x", MaxSize+1), "a.md: 16777217 bytes are too many for a plan"},
		"prose":             {"a.md", "# hello\nyou\n", "a.md: not a plan in a known format"},
		"another JSON":      {"package.json", `{"name": "x"}`, "package.json: not a plan in a known format"},
		"a list of numbers": {"a.json", `[1]`, "a.json: not a plan in a known format"},
		"a list of nothing": {"a.json", `[]`, "a.json: the plan has no tasks"},
		"no stories":        {"a.json", `{"userStories": []}`, "a.json: the plan has no tasks"},
		"no boxes yet":      {"x/fix_plan.md", "# later\n", "x/fix_plan.md: the plan has no tasks"},
		"no sections":       {"a.md", front + "---\ntext\n", "a.md: the plan has no tasks"},
		"Backlog.md":        {"backlog/tasks/a.md", "- [ ] #1 x\n", "backlog/tasks/a.md: this looks like a file of Backlog.md, which cannot be read yet"},

		"JSON, cut":           {"a.json", "{\n\"tasks\": [\n", "a.json:2: this is not valid JSON: unexpected end of JSON input"},
		"JSON, wrong":         {"a.json", "{\n\"tasks\": [\n,]}", "a.json:3: this is not valid JSON: invalid character ',' looking for beginning of value"},
		"JSON, a line end":    {"a.json", "{\n\"tasks\": \"\n\"}", "a.json:2: this is not valid JSON: invalid character '\\n' in string literal"},
		"JSON, two values":    {"a.json", "{\"tasks\": []}\n{}", "a.json:2: this is not valid JSON: invalid character '{' after top-level value"},
		"JSON, a key twice":   {"a.json", "{\"tasks\": [],\n\"tasks\": []}", "a.json:2: duplicate key \"tasks\" in one object"},
		"JSON, deep":          {"a.json", deep, "a.json:1: values nested more than 50 deep"},
		"stories are no list": {"a.json", "{\n\"userStories\": {}}", "a.json:2: userStories is not a list"},
		"a story is text":     {"a.json", "[{\"id\": \"a\", \"title\": \"t\"},\n\"b\"]", "a.json:2: a story is not an object"},
		"a task is text":      {"a.json", "{\"tasks\": [\n1]}", "a.json:2: a task is not an object"},
		"types": {
			"a.json", `{"tasks": [
{"id": true, "title": 1, "status": "todo",
"dependencies": "x", "phase": 1.5, "acceptanceCriteria": [1]},
{"id": "b", "title": "b", "dependencies": [[]], "attempts": "2", "acceptanceCriteria": 3}]}`,
			`a.json:2: title is not text
a.json:2: unknown status "todo"
a.json:2: id is neither text nor a whole number
a.json:3: an item of acceptanceCriteria is not text
a.json:3: dependencies is not a list
a.json:3: phase is not a whole number
a.json:4: acceptanceCriteria is not a list
a.json:4: an item of dependencies is neither text nor a whole number
a.json:4: attempts is not a whole number`,
		},
		"passes":        {"a.json", `[{"id": 1, "title": "x", "passes": "yes"}]`, "a.json:1: passes is neither true nor false"},
		"an id of 1.5":  {"a.json", `[{"id": 1.5, "title": "x"}]`, "a.json:1: id is neither text nor a whole number"},
		"no id":         {"a.json", "[{\"title\": \"x\"},\n{\"id\": \" \", \"title\": \"y\"}]", "a.json:1: a task has no id\na.json:2: a task has no id"},
		"ids twice":     {"a.json", "[{\"id\": 1, \"title\": \"x\"},\n{\"id\": \"1\", \"title\": \"y\"}]", "a.json:2: task 1 is already in line 1"},
		"no title":      {"a.md", "### Task 1: x\n### Task 2:\n", "a.md:2: task task-2 has no title"},
		"task twice":    {"a.md", "### Task 1: x\n\n### Task 1: y\n", "a.md:3: task task-1 is already in line 1"},
		"unknown need":  {"a.json", "{\"tasks\": [\n{\"id\": \"a\", \"title\": \"x\", \"dependencies\": [\"b\"]}]}", "a.json:2: task a depends on b, which is not a task of this plan"},
		"a cycle":       {"a.json", "{\"tasks\": [{\"id\": \"a\", \"title\": \"x\", \"dependencies\": [\"b\"]},\n{\"id\": \"b\", \"title\": \"x\", \"dependencies\": [\"a\"]}]}", "a.json:1: these tasks wait for each other: a → b → a"},
		"front, wrong":  {"a.md", front + "status: [\n---\n## a\n", "a.md:4: the frontmatter is not valid YAML"},
		"front, twice":  {"a.md", front + "gaps: []\n---\n## a\n", "a.md:3: duplicate key \"gaps\" in the frontmatter"},
		"front, status": {"a.md", front + "status: finished\n---\n## a\n", "a.md:3: unknown status \"finished\""},
		"progress":      {"a.md", front + "progress: yes\n---\n## a\n", "a.md:3: progress is not a list"},
		"progress, what": {
			"a.md", front + "progress:\n  - {status: complete}\n  - {section: b}\n  - {section: a, status: done}\n  - {section: c}\n---\n## a\n## c: x\n## c: y\n",
			"a.md:4: an entry of progress has no section\n" +
				"a.md:6: unknown status \"done\"\n" +
				"a.md:7: progress names the section \"c\", and 2 headings begin like this",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(c.file, []byte(c.text))
			if _, ok := errors.AsType[Errors](err); !ok {
				t.Fatalf("got %v", err)
			}
			got := err.Error()
			if name == "front, wrong" {
				got = got[:min(len(got), len(c.want))] // then the library's words
			}
			if got != c.want {
				t.Error(differ(c.want, got))
			}
		})
	}
}

// An unknown file is answered with what could be read, a wrong plan with the
// machine-readable mistake.
func TestErrorDetails(t *testing.T) {
	t.Parallel()
	_, err := Read("a.md", []byte("prose"))
	all, _ := errors.AsType[Errors](err)
	if all.Hint() != "known formats: "+known {
		t.Errorf("the hint is %q", all.Hint())
	}
	_, err = Read("a.json", []byte(`[{"id": 1, "title": "x", "dependsOn": [2]}]`))
	one, ok := errors.AsType[*plan.Error](err)
	if !ok || one.Kind != plan.UnknownNeed || one.Line != 1 || one.Other != "2" {
		t.Errorf("got %+v", one)
	}
	if (Errors{{Message: "x"}}).Hint() != "" {
		t.Error("a hint from nowhere")
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{prd, sections, numbered, checklist1, `[{"id":1,"title":"x","priority":2}]`, "---\nprogress: [{section: a}]\n---\n## a\n"} {
		f.Add("a.md", []byte(s))
		f.Add("x/fix_plan.md", []byte(s))
	}
	for name, data := range plans(f) {
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		got, err := Read(name, data)
		if err != nil {
			if _, ok := errors.AsType[Errors](err); !ok || strings.TrimSpace(err.Error()) == "" {
				t.Fatalf("an error of another type: %v", err)
			}
			return
		}
		if err := got.Plan.Validate(); err != nil || got.Format == "" {
			t.Fatalf("%+v: %v", got, err)
		}
		lines := strings.Count(string(data), "\n") + 1
		for _, task := range got.Plan.Tasks {
			if task.Line < 1 || task.Line > lines || task.Status == "" {
				t.Fatalf("%+v in a file of %d lines", task, lines)
			}
		}
		fuzzWrite(t, name, got)
	})
}

// fuzzWrite writes all there is to write: what comes of it is read, its edits
// are what differs, and no task is another one.
func fuzzWrite(t *testing.T, name string, f File) {
	if w := f.Write(nil); len(w.Edits) > 0 {
		t.Fatalf("nothing makes %+v", w.Edits)
	}
	at := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	changes := []Change{{Kind: SetPlan, Plan: plan.PlanInProgress}, {Kind: AddGap, Text: "a gap"}, {Kind: AddEdgeCase, Text: "e"}, {Kind: Reviewed, At: at}}
	for _, g := range f.Plan.Gaps {
		changes = append(changes, Change{Kind: RemoveGap, Text: g})
	}
	for i, task := range f.Plan.Tasks {
		changes = append(changes, Change{Kind: SetTask, Task: task.ID, Status: []plan.Status{plan.Done, plan.Running, plan.Pending}[i%3], Attempts: i, Output: "o", At: at, Again: i%2 == 0})
		for _, d := range task.Todos {
			changes = append(changes, Change{Kind: Tick, Task: task.ID, Text: d.Text, At: at})
		}
		changes = append(changes, Change{Kind: AddTodo, Task: task.ID, Text: "one more"})
	}
	was := string(f.Data())
	w := f.Write(changes)
	if apply(was, w.Edits) != string(w.Data) {
		t.Fatalf("the edits %+v make not %q", w.Edits, w.Data)
	}
	back, err := ReadAs(name, w.Data, f.Format)
	if err != nil || len(back.Plan.Tasks) != len(f.Plan.Tasks) {
		t.Fatalf("%v in %q", err, w.Data)
	}
	for _, as := range Rendered() {
		if text, _, err := Render(f.Plan, as); err == nil {
			if again, err := ReadAs(name, text, as); err != nil || len(again.Plan.Tasks) != len(f.Plan.Tasks) {
				t.Fatalf("as %s: %v in %q", as, err, text)
			}
		}
	}
}
