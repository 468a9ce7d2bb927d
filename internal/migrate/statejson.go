package migrate

// ParseStateJSON reads .ralph_state.json, which seed 004's program writes in
// place of the Markdown. There `iteration` is the one to come.
func ParseStateJSON(data []byte) (Found, []Loss, error) {
	m, err := object(data)
	if err != nil {
		return Found{}, nil, err
	}
	lost := &losses{}
	f := newFields("", m, lost)
	found := f.taskState()
	if found.TaskID == "" {
		return Found{}, nil, &Error{Line: 1, Why: "has no task_id: this is no state file of a task"}
	}
	found.Iteration = max(found.Iteration-1, 0)
	found.Attempts = f.iterations("", "attempts")
	f.lastFailure(&found, nil)
	f.rest(noPlace)
	return found, lost.all, nil
}
