package planfile

import "slices"

func readJSON(data []byte) (File, error) {
	top, err := parseJSON(data)
	if err != nil {
		return File{}, err
	}
	if top.kind == list {
		return readStories(top, top.items)
	}
	if stories, ok := top.get("userStories"); ok {
		if stories.kind != list {
			return File{}, wrong(stories.line, "write a list", "userStories is no list")
		}
		return readStories(top, stories.items)
	}
	tasks, ok := top.get("tasks")
	switch {
	case ok && tasks.kind == list && !taskmaster(tasks.items):
		return readPRD(top, tasks.items)
	case ok || slices.ContainsFunc(top.fields, func(f field) bool { return f.node.has("tasks") }):
		return File{}, foreign("Taskmaster")
	}
	return File{}, unknown()
}

// taskmaster has a list of tasks too, with other statuses and subtasks.
func taskmaster(tasks []node) bool {
	return slices.ContainsFunc(tasks, func(t node) bool { return t.has("subtasks", "testStrategy") })
}
