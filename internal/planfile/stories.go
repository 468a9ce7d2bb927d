package planfile

import (
	"cmp"
	"slices"

	"ralph/internal/plan"
)

// storyNames: a story passes, or it does not.
var storyNames = jsonNames{status: passes, statusName: "passes"}

func passes(s plan.Status) any {
	switch s {
	case plan.Done:
		return true
	case plan.Pending, plan.Ready:
		return false
	}
	return nil
}

// readStories reads userStories, or the bare list of them. If no story states a
// dependency, the priorities are the order of work, and each story waits for the
// one before.
func (r *reader) readStories() (File, error) {
	stories := r.top
	if r.top.kind == object {
		stories, _ = r.top.get("userStories")
		if stories.kind != list {
			return File{}, parseError(max(stories.line, 1), "write a list", "userStories is not a list")
		}
	}
	h := &jsonWriter{text: r.source, top: r.top, names: storyNames}
	f := File{Format: Stories, writer: h}
	f.Plan.Title = r.text(r.top, "project", "description")
	if f.Plan.Title != textOf(r.top, "description") {
		f.Plan.Constraints = r.text(r.top, "description")
	}
	last := 0
	var unnumbered []int
	for _, n := range stories.items {
		if n.kind != object {
			r.fail(n, "write an object with id and title", "a story is not an object")
			continue
		}
		t, numbered := r.story(n)
		if !numbered {
			unnumbered = append(unnumbered, len(f.Plan.Tasks))
		}
		last = max(last, t.Priority)
		f.Plan.Tasks = append(f.Plan.Tasks, t)
		h.tasks = append(h.tasks, n)
	}
	for _, i := range unnumbered {
		f.Plan.Tasks[i].Priority = last + 1
	}
	if !slices.ContainsFunc(f.Plan.Tasks, func(t plan.Task) bool { return len(t.Needs) > 0 }) {
		inOrderOfPriority(f.Plan.Tasks)
	}
	return f, r.err
}

func (r *reader) story(n node) (t plan.Task, numbered bool) {
	t = plan.Task{
		Title: r.text(n, "title"), Text: r.text(n, "description"), Criteria: r.texts(n, "acceptanceCriteria"),
		Status: done(r.yes(n, "passes")), Line: n.line,
	}
	if id, ok := n.get("id"); ok {
		t.ID = r.id(id, "id")
	}
	for _, on := range r.ids(n, "dependsOn", "dependencies", "depends_on") {
		t.Needs = append(t.Needs, plan.Need{On: on, Why: plan.Stated})
	}
	t.Priority, numbered = r.number(n, "priority")
	r.permission(n, &t)
	return t, numbered
}

// inOrderOfPriority makes a chain of stories that state no dependency.
func inOrderOfPriority(tasks []plan.Task) {
	order := make([]*plan.Task, len(tasks))
	for i := range tasks {
		order[i] = &tasks[i]
	}
	slices.SortStableFunc(order, func(a, b *plan.Task) int { return cmp.Compare(a.Priority, b.Priority) })
	for i := 1; i < len(order); i++ {
		why := plan.Priority
		if order[i].Priority == order[i-1].Priority {
			why = plan.Order
		}
		order[i].Needs = []plan.Need{{On: order[i-1].ID, Why: why}}
	}
}

// readFeatures reads a feature list: description, steps that show that it works,
// passes. The order of the list is the order of work.
func (r *reader) readFeatures() (File, error) {
	features := r.top
	if r.top.kind == object {
		features, _ = r.top.get("features")
	}
	if features.kind != list {
		return File{}, parseError(max(features.line, 1), "write a list", "features is not a list")
	}
	h := &jsonWriter{text: r.source, top: r.top, names: storyNames}
	f := File{Format: Features, writer: h}
	f.Plan.Title = r.text(r.top, "project", "name", "title")
	ids := names{}
	for _, n := range features.items {
		if n.kind != object {
			r.fail(n, "write an object with a description", "a feature is not an object")
			continue
		}
		f.Plan.Tasks = append(f.Plan.Tasks, r.feature(n, ids))
		h.tasks = append(h.tasks, n)
	}
	inOrder(f.Plan.Tasks)
	return f, r.err
}

func (r *reader) feature(n node, ids names) plan.Task {
	t := plan.Task{
		Title: r.text(n, "description", "name"), Criteria: r.texts(n, "steps"), Group: r.text(n, "category"),
		Status: done(r.yes(n, "passes")), Line: n.line,
	}
	if id, ok := n.get("id"); ok {
		t.ID = r.id(id, "id")
	} else {
		t.ID = ids.of(t.Title)
	}
	r.permission(n, &t)
	return t
}
