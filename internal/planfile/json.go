package planfile

import "slices"

// readJSON finds out whose tasks these are.
func readJSON(text string, as Format) (File, error) {
	top, err := parseJSON(text)
	if err != nil {
		return File{}, err
	}
	if as == "" {
		if as, err = jsonFormat(top); err != nil {
			return File{}, err
		}
	}
	r := &reader{source: text, top: top}
	switch as {
	case Object:
		return r.readObject()
	case PRD:
		return r.readPRD()
	case Stories:
		return r.readStories()
	case Features:
		return r.readFeatures()
	case Taskmaster:
		return r.readTaskmaster()
	}
	return File{}, wrong(0, "leave the format out, and it is looked for", "this is JSON, and no plan in the format %s", as)
}

func jsonFormat(top node) (Format, error) {
	if s, ok := top.get("schema"); ok && s.value == Schema {
		return Object, nil
	}
	if top.kind == list {
		return listFormat(top.items)
	}
	if top.has("userStories") {
		return Stories, nil
	}
	if l, ok := top.get("features"); ok && l.kind == list {
		return listFormat(l.items)
	}
	tasks, ok := top.get("tasks")
	switch {
	case ok && tasks.kind == list && !taskmasterLike(tasks.items):
		return PRD, nil
	case ok || slices.ContainsFunc(top.fields, func(f field) bool { return f.node.has("tasks") }):
		return Taskmaster, nil
	}
	return "", unknown()
}

// listFormat tells features, which have steps and no title, from stories.
func listFormat(items []node) (Format, error) {
	switch {
	case len(items) == 0 || slices.ContainsFunc(items, func(n node) bool { return n.has("title") }):
		return Stories, nil
	case slices.ContainsFunc(items, func(n node) bool { return n.has("description") && n.has("passes", "steps") }):
		return Features, nil
	}
	return "", unknown()
}

// taskmasterLike: a list of tasks with fields or statuses that seed 002 has not.
func taskmasterLike(tasks []node) bool {
	return slices.ContainsFunc(tasks, func(t node) bool {
		s, _ := t.get("status")
		switch s.value {
		case "in-progress", "review", "deferred", "cancelled", "completed":
			return true
		}
		return t.has("subtasks", "testStrategy", "details")
	})
}
