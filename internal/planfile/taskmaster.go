package planfile

import (
	"slices"
	"strings"

	"ralph/internal/plan"
)

// taskmasterStatus reads Taskmaster's statuses and common variants.
func taskmasterStatus(word string) (plan.Status, bool) {
	switch word {
	case "", "pending":
		return plan.Pending, true
	case "in-progress", "review":
		return plan.Running, true
	case "blocked":
		return plan.Blocked, true
	case "done", "completed":
		return plan.Done, true
	case "cancelled", "deferred":
		return plan.Skipped, true
	}
	return plan.Pending, false
}

// taskmasterNames writes failed tasks as blocked, because Taskmaster has no word
// for them; it has none for skipped tasks either.
var taskmasterNames = jsonNames{statusName: "status", status: func(s plan.Status) any {
	switch s {
	case plan.Pending, plan.Ready:
		return "pending"
	case plan.Running:
		return "in-progress"
	case plan.Failed, plan.Blocked:
		return "blocked"
	case plan.Done:
		return "done"
	}
	return nil
}}

// readTaskmaster reads tasks and their subtasks. A task with subtasks is not run
// itself: dependencies on it are dependencies on its parts, and it is done when
// they are.
func (r *reader) readTaskmaster() (File, error) {
	t := taskmaster{reader: r, file: File{Format: Taskmaster}, ends: map[string][]string{}}
	t.writer = &jsonWriter{text: r.source, top: r.top, names: taskmasterNames}
	t.file.writer = t.writer
	l := t.tag()
	if l.kind != list {
		return File{}, parseError(max(l.line, 1), "write a list", "tasks is not a list")
	}
	for _, n := range l.items {
		if n.kind != object {
			r.fail(n, "write an object with id and title", "a task is not an object")
			continue
		}
		t.task(n)
	}
	for i, wait := range t.waits {
		t.file.Plan.Tasks[i].Needs = t.needs(wait)
	}
	return t.file, r.err
}

type taskmaster struct {
	*reader
	file   File
	writer *jsonWriter
	// ends maps a task with parts to those parts that no other part waits for.
	ends  map[string][]string
	waits []waits
}

// waits are the dependencies of a task: its own, and those of its parent.
type waits struct{ own, parent []string }

// tag returns the list of tasks: the file's only one, that of the tag master, or
// that of the first tag.
func (t *taskmaster) tag() node {
	if l, ok := t.top.get("tasks"); ok {
		return l
	}
	var tags []string
	for _, f := range t.top.fields {
		if f.node.has("tasks") {
			tags = append(tags, f.name)
		}
	}
	if len(tags) == 0 {
		return node{}
	}
	taken := tags[0]
	if slices.Contains(tags, "master") {
		taken = "master"
	}
	set, _ := t.top.get(taken)
	if len(tags) > 1 {
		t.file.warn(set.line, "the file has %d tags; the tasks of %s are taken", len(tags), quote(taken))
	}
	t.writer.top = set
	if about, ok := set.get("metadata"); ok {
		t.file.Plan.Title = textOf(about, "description")
	}
	l, _ := set.get("tasks")
	return l
}

// task adds a task, or its parts.
func (t *taskmaster) task(n node) {
	top := t.read(n, "")
	deps := t.ids(n, "dependencies")
	parts, _ := n.get("subtasks")
	if len(parts.items) == 0 {
		t.add(n, top, waits{own: deps})
		return
	}
	first := len(t.file.Plan.Tasks)
	waited := map[string]bool{}
	for _, item := range parts.items {
		if item.kind != object {
			t.fail(item, "write an object with id and title", "a subtask is not an object")
			continue
		}
		wait := waits{own: t.siblings(item, top.ID, parts.items)}
		for _, id := range wait.own {
			waited[id] = true
		}
		if !slices.ContainsFunc(wait.own, func(id string) bool { return strings.HasPrefix(id, top.ID+".") }) {
			wait.parent = deps
		}
		t.add(item, partOf(top, t.read(item, top.ID+".")), wait)
	}
	p := jsonParent{node: n}
	for i := first; i < len(t.file.Plan.Tasks); i++ {
		p.parts = append(p.parts, i)
		if id := t.file.Plan.Tasks[i].ID; !waited[id] {
			t.ends[top.ID] = append(t.ends[top.ID], id)
		}
	}
	t.writer.parents = append(t.writer.parents, p)
}

func (t *taskmaster) add(n node, task plan.Task, w waits) {
	t.file.Plan.Tasks = append(t.file.Plan.Tasks, task)
	t.writer.tasks = append(t.writer.tasks, n)
	t.waits = append(t.waits, w)
}

// read takes over the fields of a task or a subtask.
func (t *taskmaster) read(n node, prefix string) plan.Task {
	task := plan.Task{Title: t.text(n, "title"), Line: n.line, Priority: t.priority(n)}
	if id, ok := n.get("id"); ok {
		task.ID = t.id(id, "id")
		if !strings.HasPrefix(task.ID, prefix) {
			task.ID = prefix + task.ID
		}
	}
	task.Text = paragraphs(t.text(n, "description"), t.text(n, "details"))
	task.Criteria = slices.Concat(t.texts(n, "acceptanceCriteria"), t.texts(n, "testStrategy"))
	task.Criteria = slices.DeleteFunc(task.Criteria, func(s string) bool { return strings.TrimSpace(s) == "" })
	word := t.text(n, "status")
	status, ok := taskmasterStatus(word)
	switch {
	case !ok:
		at, _ := n.get("status")
		t.fail(at, "write pending, in-progress, review, blocked, done, deferred or cancelled", "unknown status "+quote(word))
	case word == "deferred" || word == "review":
		t.file.warn(n.line, "task %s is in the status %s, which is read as %s", task.ID, word, status)
	}
	task.Status = status
	t.permission(n, &task)
	return task
}

func (t *taskmaster) priority(n node) int {
	switch textOf(n, "priority") {
	case "critical":
		return 0
	case "high":
		return 1
	case "low":
		return 3
	}
	return 2
}

// partOf gives a part the closed status, priority and text of its whole.
func partOf(whole, part plan.Task) plan.Task {
	if !whole.Status.Open() {
		part.Status = whole.Status
	}
	part.Priority = whole.Priority
	inheritPermission(whole, &part)
	part.Group = whole.Title
	part.Text = paragraphs(part.Text, "Part of "+whole.ID+": "+whole.Title, whole.Text)
	return part
}

func paragraphs(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

// siblings returns the dependencies of a subtask: a bare number is a subtask of
// the same task, if it exists.
func (t *taskmaster) siblings(n node, parent string, parts []node) []string {
	out := t.ids(n, "dependencies")
	for i, id := range out {
		if slices.ContainsFunc(parts, func(p node) bool { return idOf(p) == id }) {
			out[i] = parent + "." + id
		}
	}
	return out
}

// needs resolves dependencies; a task with parts means its last parts.
func (t *taskmaster) needs(w waits) []plan.Need {
	var out []plan.Need
	add := func(ids []string, why plan.Why) {
		for _, id := range ids {
			parts, split := t.ends[id]
			if !split {
				out = append(out, plan.Need{On: id, Why: why})
			}
			for _, part := range parts {
				out = append(out, plan.Need{On: part, Why: plan.Parent})
			}
		}
	}
	add(w.own, plan.Stated)
	add(w.parent, plan.Parent)
	return out
}

// idOf returns an id as dependencies write it, "" if it is invalid.
func idOf(n node) string {
	id, ok := n.get("id")
	if !ok {
		return ""
	}
	return (&reader{}).id(id, "id")
}
