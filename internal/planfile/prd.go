package planfile

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/plan"
)

// prdNames are the field names of seed 002.
var prdNames = jsonNames{
	status:     func(s plan.Status) any { return s },
	statusName: "status", attempts: "attempts", output: "output", failure: "error", ended: "completedAt",
	todos: "todos", todoContent: "content",
}

// readPRD reads seed 002's task file. A phase orders tasks and is no
// dependency.
func (r *reader) readPRD() (File, error) {
	tasks, _ := r.top.get("tasks")
	if tasks.kind != list {
		return File{}, parseError(max(tasks.line, 1), "write a list", "tasks is not a list")
	}
	h := &jsonWriter{text: r.source, top: r.top, names: prdNames}
	f := File{Format: PRD, writer: h}
	if meta, ok := r.top.get("meta"); ok {
		f.Plan.Title = r.text(meta, "name")
	}
	for _, n := range tasks.items {
		if n.kind != object {
			r.fail(n, "write an object with id and title", "a task is not an object")
			continue
		}
		f.Plan.Tasks = append(f.Plan.Tasks, r.prdTask(n))
		h.tasks = append(h.tasks, n)
	}
	prdPriorities(&f, h.tasks)
	return f, r.err
}

// usualPriority is that of a task without one, where others have one.
const usualPriority = 2

// prdPriorities read the priority of each task: a number, of which the lowest is
// first, or a word. Without any, only phases and attempts order the tasks.
func prdPriorities(f *File, tasks []node) {
	if !slices.ContainsFunc(tasks, func(n node) bool { return n.has("priority") }) {
		return
	}
	for i := range f.Plan.Tasks {
		t := &f.Plan.Tasks[i]
		t.Priority = usualPriority
		v, there := tasks[i].get("priority")
		switch n, known := priorityOf(v); {
		case known:
			t.Priority = n
		case there:
			f.warn(v.line, "task %s has a priority that is not read: use a number, or critical, high, medium, low", t.ID)
		}
	}
}

// priorityOf reads 3, "3", "P3" or a word.
func priorityOf(v node) (n int, known bool) {
	word := strings.ToLower(textOf(v))
	if number, is := v.value.(json.Number); is {
		word = number.String()
	}
	if at := slices.Index([]string{"critical", "high", "medium", "low"}, word); at >= 0 {
		return at, true
	}
	n, err := strconv.Atoi(strings.TrimPrefix(word, "p"))
	return n, err == nil
}

func (r *reader) prdTask(n node) plan.Task {
	t := plan.Task{
		Title: r.text(n, "title"), Text: r.text(n, "description"), Agent: r.text(n, "agent"),
		Criteria: r.texts(n, "acceptanceCriteria"), Status: r.prdStatus(n), Line: n.line,
		SubPlan:  r.text(n, "plan"),
		Commands: r.texts(n, "commands"), Files: r.texts(n, "files"), Labels: r.texts(n, "labels"),
		Todos: r.todos(n), Output: r.text(n, "output"),
	}
	if id, ok := n.get("id"); ok {
		t.ID = r.id(id, "id")
	}
	for _, on := range r.ids(n, "dependencies") {
		t.Needs = append(t.Needs, plan.Need{On: on, Why: plan.Stated})
	}
	t.Phase, _ = r.number(n, "phase")
	t.Attempts, _ = r.number(n, "attempts")
	r.permission(n, &t)
	return t
}

func (r *reader) prdStatus(n node) plan.Status {
	s := plan.Status(r.text(n, "status"))
	switch s {
	case "":
		return plan.Pending
	case plan.Pending, plan.Ready, plan.Running, plan.Done, plan.Failed, plan.Blocked, plan.Skipped:
		return s
	}
	f, _ := n.get("status")
	r.fail(f, "write pending, ready, running, done, failed, blocked or skipped", "unknown status "+quote(string(s)))
	return plan.Pending
}

// todos reads the steps of a task. Entries that are not steps in seed 002's sense
// are not ours, and not a mistake.
func (r *reader) todos(n node) []plan.Todo {
	l, _ := n.get("todos")
	var out []plan.Todo
	for _, item := range l.items {
		if item.kind != object {
			continue
		}
		t := plan.Todo{ID: textOf(item, "id"), Text: textOf(item, "content"), Agent: textOf(item, "agent"), Status: todoStatus(textOf(item, "status"))}
		if criteria, ok := item.get("verificationCriteria"); ok {
			for _, c := range criteria.items {
				t.Criteria = append(t.Criteria, textOf(c))
			}
		}
		out = append(out, t)
	}
	return out
}

// textOf returns a string, "" for anything else: of the value itself, or of its
// field.
func textOf(n node, name ...string) string {
	if len(name) > 0 {
		n, _ = n.get(name[0])
	}
	s, _ := n.value.(string)
	return s
}

func todoStatus(s string) plan.TodoStatus {
	switch t := plan.TodoStatus(s); t {
	case plan.TodoInProgress, plan.TodoCompleted:
		return t
	}
	return plan.TodoPending
}
