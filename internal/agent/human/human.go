// Package human makes a person the agent: ralph prepares the tree and the
// prompt, waits for the report that the work is done, and runs the gates as
// for any agent.
package human

import (
	"context"
	"fmt"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Driver asks a person to work.
type Driver struct{}

// Capabilities: a person reports nothing in a structured way.
func (Driver) Capabilities() agent.Capabilities { return agent.Capabilities{Person: true} }

// Run hands the work to a person and returns at once; the loop waits for the
// answer.
func (Driver) Run(_ context.Context, job agent.Job) (loop.Outcome, error) {
	q := loop.Question{
		Work:    true,
		Text:    fmt.Sprintf("Your turn. Work in %s (the prompt is %s), then say that it is done.", job.Tree, job.Prompt),
		Options: []string{"done"},
		Default: "done",
	}
	job.Emit(agent.Event{Kind: agent.Asked, Text: q.Text})
	return loop.Outcome{End: loop.EndAsked, Question: &q}, nil
}
