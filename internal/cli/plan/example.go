package plan

import "ralph/internal/plan"

// examplePlan shows an agent what a plan in some format looks like. It is about
// nothing that a repository is likely to have.
func examplePlan() plan.Plan {
	return plan.Plan{
		Title: "Tide tables", Constraints: "Heights are metres above chart datum. No new dependencies.",
		Tasks: []plan.Task{
			{
				ID: "task-1", Title: "Read station files", Status: plan.Pending,
				Text:     "Read the files below stations/ and report a line that cannot be read with its number.",
				Criteria: []string{"a file with two stations gives two stations", "an unreadable line is an error that names the file and the line"},
				Commands: []string{"go test ./station"},
			},
			{
				ID: "task-2", Title: "Print the tides of a day", Status: plan.Pending,
				Text:     "Add the command that prints high and low water of one station and day.",
				Criteria: []string{"a day with four tides prints four lines, the earliest first", "an unknown station is an error and exit code 2"},
				Needs:    []plan.Need{{On: "task-1", Why: plan.Stated}}, Commands: []string{"go test ./cmd/tides"},
			},
		},
	}
}
