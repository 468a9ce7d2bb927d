package agent

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/secret"
)

// Driver runs one kind of agent.
type Driver interface {
	// Capabilities returns what this kind of agent reports by itself.
	Capabilities() Capabilities
	// Run runs the agent once and waits. An error means that ralph itself failed,
	// or that ctx was cancelled; how the agent ended is in the outcome.
	Run(ctx context.Context, job Job) (loop.Outcome, error)
}

// Native drives one known program through that program's own protocol.
type Native interface {
	Driver
	// Program returns the name to find on PATH.
	Program() string
	// CommandLine returns how the program is started for a; SESSION stands for
	// the id of each attempt's session.
	CommandLine(a loop.Agent) []string
	// Tested returns the versions of the program that this driver was made for.
	Tested() Versions
	// Account returns the account that pays for a run of a in env, and Credential
	// the login that the run uses. Neither starts a process.
	Account(a loop.Agent, env []string) Account
	Credential(a loop.Agent, env []string) Credential
	// Footprint returns what the program keeps and sets beside its work.
	Footprint() Footprint
	// Refuses returns why the program would not start for a in env and how to fix
	// that; both are empty where it would.
	Refuses(a loop.Agent, env []string) (why, fix string)
}

// Capabilities of a driver. False means unknown, not absent.
type Capabilities struct {
	// Usage: tokens are reported; Cost: money too.
	Usage, Cost bool
	// Limits: a usage limit is recognised, with its reset time where known.
	Limits bool
	// Windows: the used part of the windows of the usage limit is reported.
	Windows bool
	// Denials: refused tools are reported.
	Denials bool
	// Resume: a session can be continued by its id.
	Resume bool
	// Scripted: there is no model. Person: a human does the work.
	Scripted, Person bool
}

// Job is one run of an agent.
type Job struct {
	Agent loop.Agent
	// Tree is where the agent works; Prompt the file it reads.
	Tree, Prompt string
	// Resume is the session to continue, where the driver can; nil begins a new
	// one.
	Resume *Resume
	// RunDir holds the records of the supervised process, RunID names it.
	RunDir, RunID string
	// Raw is the file for the agent's output, without the secrets that Mask knows.
	Raw  string
	Mask *secret.Masker
	// Env is the whole environment.
	Env []string
	// Sandbox holds the agent; nil is none.
	Sandbox *proc.Sandbox
	// Timeout bounds the whole run, Patience its silences.
	Timeout  loop.Deadline
	Patience Patience
	Grace    time.Duration
	// Kill, when closed, ends the agent at once; Alive is written to on any
	// output. Both may be nil.
	Kill  <-chan struct{}
	Alive io.Writer
	// OnSoft is called once when the soft deadline passes; OnEvent for each
	// event, by one goroutine at a time. Both must return quickly.
	OnSoft  func()
	OnEvent func(Event)
	// Now is the clock for reset times; nil is the system's.
	Now func() time.Time
}

// Resume is an earlier run's session and its reported usage: some agents count
// over the whole session.
type Resume struct {
	Session string
	Used    loop.Usage
}

// Emit sends an event to the listener, if any.
func (j Job) Emit(e Event) {
	if j.OnEvent != nil {
		j.OnEvent(e)
	}
}

// Time returns the job's time.
func (j Job) Time() time.Time {
	if j.Now != nil {
		return j.Now()
	}
	return time.Now()
}

// Event is something that the agent's own protocol reported.
type Event struct {
	Kind EventKind `json:"kind"`
	Text string    `json:"text,omitempty"`
	// Tool and Path belong to tool uses, denials and file changes; Rule is the
	// setting that would allow a denied tool.
	Tool  string      `json:"tool,omitempty"`
	Path  string      `json:"path,omitempty"`
	Rule  string      `json:"rule,omitempty"`
	Usage *loop.Usage `json:"usage,omitempty"`
	// Model and Version belong to sessions; ResetAt to limits.
	Model   string    `json:"model,omitempty"`
	Version string    `json:"version,omitempty"`
	ResetAt time.Time `json:"reset_at,omitzero"`
}

// EventKind is the kind of an Event. The set is closed.
type EventKind string

// The kinds of event.
const (
	Text       EventKind = "text"
	ToolUse    EventKind = "tool_use"
	FileChange EventKind = "file_change"
	UsageSeen  EventKind = "usage"
	Denied     EventKind = "denied"
	// Permitted: the agent asked for permission, and got it by the policy.
	Permitted EventKind = "permitted"
	Limited   EventKind = "limit"
	Session   EventKind = "session"
	Asked     EventKind = "question"
	// Trouble is a problem that the agent retries by itself, or a warning.
	Trouble EventKind = "trouble"
	Result  EventKind = "result"
	// Raw is an unknown line. It is kept.
	Raw EventKind = "raw"
)

// Patience is how long an agent may be silent. Several hang forever when their
// provider asks them to come back in an hour, or without a network. A zero part
// never comes.
type Patience struct {
	// Start is for the first output.
	Start time.Duration
	// Stall is between two outputs, Tool the same while a tool runs.
	Stall, Tool time.Duration
	// Retry is how long an agent may report retries of its provider without
	// success.
	Retry time.Duration
}

// PatienceFor returns an agent's patience, by its setting for silences.
func PatienceFor(a loop.Agent) Patience {
	const m = time.Minute
	stall := a.Stall
	if stall <= 0 {
		// Models think for minutes without output.
		stall = 10 * m
	}
	// opencode and the like print nothing while a tool runs; a slow machine needs
	// half a minute for their first output. Agents that give up by themselves do
	// so within three and a half minutes.
	return Patience{Start: min(3*m, stall), Stall: stall, Tool: 3 * stall, Retry: min(5*m, stall)}
}

// NewSession returns an id for a session: a random UUID.
func NewSession() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails, or ends the program
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// ProgramOf returns the command of an agent's program: the configured one, or its
// driver's name for it.
func ProgramOf(a loop.Agent, name string) []string {
	if len(a.Argv) > 0 {
		return a.Argv
	}
	return []string{name}
}
