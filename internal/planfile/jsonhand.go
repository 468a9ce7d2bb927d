package planfile

import (
	"fmt"
	"slices"
	"time"

	"ralph/internal/plan"
)

// jsonHand writes fields of JSON, by the names that a format has for them. An
// empty name is no place.
type jsonHand struct {
	text string
	// top is the object that speaks of the whole plan, tasks one of each task.
	top   node
	tasks []node
	words jsonWords
	// parents have parts that are tasks: they are done when all those are.
	parents []jsonParent
}

type jsonParent struct {
	node  node
	parts []int
}

// jsonWords are the names of fields in one format.
type jsonWords struct {
	// status is the value for a status; nil has no place.
	status                                               func(plan.Status) any
	statusName, attempts, output, failure, ended         string
	todos                                                string
	planStatus, gaps, edgeCases, lastReview, todoContent string
}

func (h *jsonHand) setTask(e *edits, i int, c Change) Change {
	n, rest := h.tasks[i], c
	if c.Status != "" {
		if v := h.words.status(c.Status); v != nil {
			if n.has(h.words.statusName) || v != false {
				e.setField(h.text, n, h.words.statusName, v)
			}
			rest.Status = ""
			h.ended(e, n, c)
		}
	}
	if h.words.attempts != "" && c.Attempts != 0 {
		e.setField(h.text, n, h.words.attempts, c.Attempts)
		rest.Attempts = 0
	}
	if h.setText(e, n, h.words.output, c.Output) {
		rest.Output = ""
	}
	if h.setText(e, n, h.words.failure, c.Error) {
		rest.Error = ""
	}
	return rest
}

func (h *jsonHand) setText(e *edits, n node, name, text string) bool {
	if name == "" || text == "" {
		return false
	}
	e.setField(h.text, n, name, text)
	return true
}

// ended writes what follows from a task's end: when it was, where the task has a
// field for it; that there is no error any more; that its steps are done.
func (h *jsonHand) ended(e *edits, n node, c Change) {
	if c.Status != plan.Done {
		return
	}
	if f, ok := n.find(h.words.ended); ok && !c.At.IsZero() {
		e.replace(f.node.start, f.node.end, encoded(stamp(c.At)))
	}
	if f, ok := n.find(h.words.failure); ok && c.Error == "" {
		e.replace(f.node.start, f.node.end, "null")
	}
	for _, todo := range h.todosOf(n) {
		h.complete(e, todo, c.At)
	}
}

func (h *jsonHand) todosOf(n node) []node {
	if h.words.todos == "" {
		return nil
	}
	l, _ := n.get(h.words.todos)
	return slices.DeleteFunc(slices.Clone(l.items), func(n node) bool { return n.kind != object })
}

// complete marks a step as done; one that is done keeps its time.
func (h *jsonHand) complete(e *edits, todo node, at time.Time) {
	if s, _ := todo.get("status"); s.value == string(plan.TodoCompleted) {
		return
	}
	e.setField(h.text, todo, "status", plan.TodoCompleted)
	if !at.IsZero() && h.words.todoContent == "content" {
		e.setField(h.text, todo, "completedAt", stamp(at))
	}
}

// stamp is a time as JavaScript writes it.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func (h *jsonHand) tick(e *edits, i int, c Change) Why {
	var found []node
	for _, todo := range h.todosOf(h.tasks[i]) {
		id, _ := todo.get("id")
		content, _ := todo.get(h.words.todoContent)
		if id.value == c.Text || content.value == c.Text {
			found = append(found, todo)
		}
	}
	switch {
	case h.words.todos == "":
		return NoPlace
	case len(found) == 0:
		return NoSuchText
	case len(found) > 1:
		return Ambiguous
	}
	h.complete(e, found[0], c.At)
	return ""
}

func (h *jsonHand) setPlan(e *edits, s plan.PlanStatus) bool {
	if h.words.planStatus == "" {
		return false
	}
	e.setField(h.text, h.top, h.words.planStatus, s)
	return true
}

func (h *jsonHand) setTexts(e *edits, name string, t texts) bool {
	field := map[string]string{gapsKey: h.words.gaps, edgeCasesKey: h.words.edgeCases}[name]
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

func (h *jsonHand) reviewed(e *edits, c Change) bool {
	if h.words.lastReview == "" || c.At.IsZero() {
		return false
	}
	e.setField(h.text, h.top, h.words.lastReview, c.At.UTC().Format(time.RFC3339))
	return true
}

// addTodos writes steps with the fields that seed 002 gives them.
func (h *jsonHand) addTodos(e *edits, i int, all []Change) bool {
	if h.words.todos == "" {
		return false
	}
	l, there := h.tasks[i].get(h.words.todos)
	if there && l.kind != list {
		return false
	}
	var added []any
	for k, c := range all {
		added = append(added, h.newTodo(c, len(l.items)+k+1))
	}
	if len(l.items) == 0 {
		e.setField(h.text, h.tasks[i], h.words.todos, added)
		return true
	}
	for _, todo := range added {
		e.addItem(h.text, l, todo)
	}
	return true
}

func (h *jsonHand) newTodo(c Change, n int) newTodo {
	todo := newTodo{ID: newTodoID(c.Task, n), Status: plan.TodoPending}
	if h.words.todoContent == "text" {
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

// settle marks parents as done whose parts are all over.
func (h *jsonHand) settle(e *edits, now statuses) {
	for _, p := range h.parents {
		if s, _ := taskmasterStatus(text(p.node, h.words.statusName)); now.over(p.parts) && s.Open() {
			e.setField(h.text, p.node, h.words.statusName, h.words.status(plan.Done))
		}
	}
}

// newTodoID is how seed 002 names steps.
func newTodoID(task string, n int) string { return fmt.Sprintf("%s-todo-%d", task, n) }
