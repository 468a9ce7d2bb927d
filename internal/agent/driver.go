package agent

import (
	"context"
	"io"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
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

// Native drives one known program through that program's own protocol.
type Native interface {
	Driver
	// Program is the name that is looked for on PATH.
	Program() string
	// CommandLine is how the program is started for a; the id of a session,
	// which each attempt has of its own, stands as SESSION.
	CommandLine(a loop.Agent) []string
	// Tested are the versions of the program that this driver was made for.
	Tested() Versions
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
	// Resume is the session to go on with, where the driver can; nil begins a
	// new one.
	Resume *Resume
	// RunDir holds the records of the supervised process, RunID names it.
	RunDir, RunID string
	// Raw is the file that gets the agent's output as it came.
	Raw string
	// Env is the whole environment.
	Env []string
	// Inside is the sandbox that the agent works in; nil is none.
	Sandbox *proc.Sandbox
	// Timeout bounds the whole run, Patience its silences.
	Timeout  loop.Deadline
	Patience Patience
	Grace    time.Duration
	// Kill, when closed, ends the agent at once; Alive is written to whenever
	// output comes. Both may be nil.
	Kill  <-chan struct{}
	Alive io.Writer
	// OnSoft is called once when the soft deadline passes; OnEvent for each
	// event, by one goroutine at a time. Both must return quickly.
	OnSoft  func()
	OnEvent func(Event)
	// Now is the clock that reset times are told by; nil is the system's.
	Now func() time.Time
}

// Resume is an earlier run's session, and what that run reported to have used:
// some agents count over the whole session.
type Resume struct {
	Session string
	Used    loop.Usage
}

// Emit sends an event to whoever listens.
func (j Job) Emit(e Event) {
	if j.OnEvent != nil {
		j.OnEvent(e)
	}
}

// Time is the job's clock.
func (j Job) Time() time.Time {
	if j.Now != nil {
		return j.Now()
	}
	return time.Now()
}
