package agent

import (
	"context"
	"io"
	"time"

	"ralph/internal/loop"
)

// Driver runs one kind of agent.
type Driver interface {
	// Capabilities says what this kind of agent reports by itself.
	Capabilities() Capabilities
	// Run runs the agent once and waits. An error means that ralph itself
	// could not do its part, or that ctx was cancelled; how the agent fared
	// stands in the outcome.
	Run(ctx context.Context, job Job) (loop.Outcome, error)
}

// Capabilities of a driver. What is false is unknown, not absent.
type Capabilities struct {
	// Usage: tokens are reported; Cost: money too.
	Usage, Cost bool
	// Limits: a usage limit is told apart, with its reset time where known.
	Limits bool
	// Denials: refused tools are reported.
	Denials bool
	// Resume: a session can be continued by its id.
	Resume bool
	// Scripted: no model is behind it. Person: a human does the work.
	Scripted, Person bool
}

// Job is one run: who, where, with which prompt.
type Job struct {
	Agent loop.Agent
	// Tree is where the agent works; Prompt the file it reads.
	Tree, Prompt string
	// RunDir holds the records of the supervised process, RunID names it.
	RunDir, RunID string
	// Raw is the file that gets the agent's output as it came.
	Raw string
	// Env is the whole environment.
	Env     []string
	Timeout loop.Deadline
	Grace   time.Duration
	// Kill, when closed, ends the agent at once; Alive is written to whenever
	// output comes. Both may be nil.
	Kill  <-chan struct{}
	Alive io.Writer
	// OnSoft is called once when the soft deadline passes; OnEvent for each
	// event. Both must return quickly.
	OnSoft  func()
	OnEvent func(Event)
}

// Emit sends an event to whoever listens.
func (j Job) Emit(e Event) {
	if j.OnEvent != nil {
		j.OnEvent(e)
	}
}

// Event is something the agent's own protocol reported.
type Event struct {
	Kind EventKind `json:"kind"`
	Text string    `json:"text,omitempty"`
	// Tool and Path belong to tool uses, denials and file changes.
	Tool  string      `json:"tool,omitempty"`
	Path  string      `json:"path,omitempty"`
	Usage *loop.Usage `json:"usage,omitempty"`
}

// EventKind names what an Event is about. The set is closed.
type EventKind string

// The kinds of event.
const (
	Text       EventKind = "text"
	ToolUse    EventKind = "tool_use"
	FileChange EventKind = "file_change"
	UsageSeen  EventKind = "usage"
	Denied     EventKind = "denied"
	Limited    EventKind = "limit"
	Session    EventKind = "session"
	Asked      EventKind = "question"
	Result     EventKind = "result"
	// Raw is a line that the driver does not understand. It is kept.
	Raw EventKind = "raw"
)
