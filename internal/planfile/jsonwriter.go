package planfile

import (
	"fmt"
	"slices"
	"time"

	"ralph/internal/plan"
)

// jsonWriter writes fields of JSON by the names of one format. An empty name
// means that the format has no place.
type jsonWriter struct {
	text string
	// top is the object of the whole plan; tasks has one object per task.
	top   node
	tasks []node
	names jsonNames
	// parents are done when all their parts, which are tasks, are done.
	parents []jsonParent
}

type jsonParent struct {
	node  node
	parts []int
}

// jsonNames are the names of fields in one format.
type jsonNames struct {
	// status returns the value for a status, nil without a place.
	status                                               func(plan.Status) any
	statusName, attempts, output, failure, ended         string
	todos                                                string
	planStatus, gaps, edgeCases, lastReview, todoContent string
}

func (h *jsonWriter) setTask(e *edits, i int, c Change) Change {
	n, rest := h.tasks[i], c
	if c.Status != "" {
		if v := h.names.status(c.Status); v != nil {
			if n.has(h.names.statusName) || v != false {
				e.setField(h.text, n, h.names.statusName, v)
			}
			rest.Status = ""
			h.ended(e, n, c)
		}
	}
	if h.names.attempts != "" && c.Attempts != 0 {
		e.setField(h.text, n, h.names.attempts, c.Attempts)
		rest.Attempts = 0
	}
	if h.setText(e, n, h.names.output, c.Output) {
		rest.Output = ""
	}
	if h.setText(e, n, h.names.failure, c.Error) {
		rest.Error = ""
	}
	return rest
}

func (h *jsonWriter) setText(e *edits, n node, name, text string) bool {
	if name == "" || text == "" {
		return false
	}
	e.setField(h.text, n, name, text)
	return true
}

// ended writes what follows when a task is done: the time, if the task has the
// field; no error; completed steps.
func (h *jsonWriter) ended(e *edits, n node, c Change) {
	if c.Status != plan.Done {
		return
	}
	if f, ok := n.find(h.names.ended); ok && !c.At.IsZero() {
		e.replace(f.node.start, f.node.end, encoded(stamp(c.At)))
	}
	if f, ok := n.find(h.names.failure); ok && c.Error == "" {
		e.replace(f.node.start, f.node.end, "null")
	}
	for _, todo := range h.todosOf(n) {
		h.complete(e, todo, c.At)
	}
}

func (h *jsonWriter) todosOf(n node) []node {
	if h.names.todos == "" {
		return nil
	}
	l, _ := n.get(h.names.todos)
	return slices.DeleteFunc(slices.Clone(l.items), func(n node) bool { return n.kind != object })
}

// complete marks a step as done; a completed step keeps its time.
func (h *jsonWriter) complete(e *edits, todo node, at time.Time) {
	if s, _ := todo.get("status"); s.value == string(plan.TodoCompleted) {
		return
	}
	e.setField(h.text, todo, "status", plan.TodoCompleted)
	if !at.IsZero() && h.names.todoContent == "content" {
		e.setField(h.text, todo, "completedAt", stamp(at))
	}
}

// stamp formats a time as JavaScript does.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func (h *jsonWriter) tick(e *edits, i int, c Change) Why {
	var found []node
	for _, todo := range h.todosOf(h.tasks[i]) {
		id, _ := todo.get("id")
		content, _ := todo.get(h.names.todoContent)
		if id.value == c.Text || content.value == c.Text {
			found = append(found, todo)
		}
	}
	switch {
	case h.names.todos == "":
		return NoPlace
	case len(found) == 0:
		return NoSuchText
	case len(found) > 1:
		return Ambiguous
	}
	h.complete(e, found[0], c.At)
	return ""
}

func (h *jsonWriter) setPlan(e *edits, s plan.PlanStatus) bool {
	if h.names.planStatus == "" {
		return false
	}
	e.setField(h.text, h.top, h.names.planStatus, s)
	return true
}

func (h *jsonWriter) setTexts(e *edits, name string, t texts) bool {
	field := map[string]string{gapsKey: h.names.gaps, edgeCasesKey: h.names.edgeCases}[name]
	if field == "" {
		return false
	}
	l, ok := h.top.get(field)
	if !ok || l.kind != list || t.left == 0 {
		e.setField(h.text, h.top, field, append([]string{}, t.added...))
		return true
	}
	e.removeItems(l, t.gone)
	for _, s := range t.added {
		e.addItem(h.text, l, s)
	}
	return true
}

func (h *jsonWriter) reviewed(e *edits, c Change) bool {
	if h.names.lastReview == "" || c.At.IsZero() {
		return false
	}
	e.setField(h.text, h.top, h.names.lastReview, c.At.UTC().Format(time.RFC3339))
	return true
}

// addTodos writes steps with the fields of seed 002.
func (h *jsonWriter) addTodos(e *edits, i int, all []Change) bool {
	if h.names.todos == "" {
		return false
	}
	l, there := h.tasks[i].get(h.names.todos)
	if there && l.kind != list {
		return false
	}
	var added []any
	for k, c := range all {
		added = append(added, h.newTodo(c, len(l.items)+k+1))
	}
	if len(l.items) == 0 {
		e.setField(h.text, h.tasks[i], h.names.todos, added)
		return true
	}
	for _, todo := range added {
		e.addItem(h.text, l, todo)
	}
	return true
}

func (h *jsonWriter) newTodo(c Change, n int) newTodo {
	todo := newTodo{ID: newTodoID(c.Task, n), Status: plan.TodoPending}
	if h.names.todoContent == "text" {
		todo.Text = c.Text
		return todo
	}
	todo.Content = c.Text
	if !c.At.IsZero() {
		todo.CreatedAt = stamp(c.At)
	}
	return todo
}

type newTodo struct {
	ID        string          `json:"id,omitempty"`
	Content   string          `json:"content,omitempty"`
	Text      string          `json:"text,omitempty"`
	Status    plan.TodoStatus `json:"status"`
	CreatedAt string          `json:"createdAt,omitempty"`
}

// setDependents marks parents as done when all their parts have ended. A part whose end
// the format cannot express stays open in the file, and its parent with it: a
// reader would take the part for done.
func (h *jsonWriter) setDependents(e *edits, now statuses) {
	for _, p := range h.parents {
		if slices.ContainsFunc(p.parts, func(i int) bool {
			s := now.wanted[i].Status
			return s != "" && h.names.status(s) == nil
		}) {
			continue
		}
		if s, _ := taskmasterStatus(textOf(p.node, h.names.statusName)); now.over(p.parts) && s.Open() {
			e.setField(h.text, p.node, h.names.statusName, h.names.status(plan.Done))
		}
	}
}

// newTodoID returns an id as seed 002 forms it.
func newTodoID(task string, n int) string { return fmt.Sprintf("%s-todo-%d", task, n) }
