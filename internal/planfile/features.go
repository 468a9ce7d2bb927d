package planfile

import "ralph/internal/plan"

// readFeatures reads a feature list: each has a description, steps that show
// that it works, and whether it passes. Its order is the order of work.
func (r *reader) readFeatures() (File, error) {
	features := r.top
	if r.top.kind == object {
		features, _ = r.top.get("features")
	}
	if features.kind != list {
		return File{}, wrong(max(features.line, 1), "write a list", "features is no list")
	}
	h := &jsonHand{text: r.source, top: r.top, words: storyWords()}
	f := File{Format: Features, hand: h}
	f.Plan.Title = r.text(r.top, "project", "name", "title")
	ids := names{}
	for _, n := range features.items {
		if n.kind != object {
			r.fail(n, "write an object with a description", "a feature is no object")
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
	return t
}
