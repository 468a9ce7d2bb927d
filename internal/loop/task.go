package loop

// Task is one unit of work, as a person or a plan stated it.
type Task struct {
	// ID names the task in branches, refs and reports. For a single task it
	// is the slug of its text.
	ID string `json:"id"`
	// Text is what is to be done, verbatim.
	Text string `json:"text"`
	// Criteria are the acceptance criteria, one sentence each.
	Criteria []string `json:"criteria,omitempty"`
	// Scope lists path globs that the task may change although they would
	// otherwise be protected (a task whose job is to change the tests).
	Scope []string `json:"scope,omitempty"`
}
