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
	// Plan is what the task is told of the plan that it belongs to.
	Plan *InPlan `json:"plan,omitempty"`
}

// InPlan is what an agent is told of the plan around its task: words of others.
type InPlan struct {
	Title string `json:"title,omitempty"`
	// File is the plan's own, from the repository's root; "" where it lies outside.
	// Nobody but ralph and people write it.
	File string `json:"file,omitempty"`
	// Constraints hold for every task of the plan.
	Constraints string `json:"constraints,omitempty"`
	// Page is the whole plan, where the task is a section of it.
	Page string `json:"page,omitempty"`
	// Steps are those that the plan lists for the task.
	Steps []string `json:"steps,omitempty"`
	// Large: the plan lists none, and the agent begins with a list of its own.
	Large bool `json:"large,omitempty"`
	// Done are the tasks that this one builds on.
	Done []Output `json:"done,omitempty"`
	// Before is what the loop before this one left of the same task.
	Before *Output `json:"before,omitempty"`
	// Open are gaps and edge cases that were found.
	Open []string `json:"open,omitempty"`
	// Why the task is worked on again.
	Why string `json:"why,omitempty"`
	// Told is what a person decided about the task, where its reviewers asked.
	Told string `json:"told,omitempty"`
	// Turns after which the agent looks for a natural point to stop; 0 is none.
	Turns int `json:"turns,omitempty"`
	// Agreed is how a person wants the task to be done.
	Agreed string `json:"agreed,omitempty"`
	// OutputFile is where the answer of a text task is kept.
	OutputFile string `json:"output_file,omitempty"`
}

// Output is what a task of a plan left.
type Output struct {
	Task  string `json:"task"`
	Title string `json:"title,omitempty"`
	// Changed says what changed, Words what its agent said of it.
	Changed string `json:"changed,omitempty"`
	Words   string `json:"words,omitempty"`
}
