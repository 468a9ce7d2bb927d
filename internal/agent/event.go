package agent

import (
	"time"

	"ralph/internal/loop"
)

// Event is something the agent's own protocol reported.
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

// EventKind names what an Event is about. The set is closed.
type EventKind string

// The kinds of event.
const (
	Text       EventKind = "text"
	ToolUse    EventKind = "tool_use"
	FileChange EventKind = "file_change"
	UsageSeen  EventKind = "usage"
	Denied     EventKind = "denied"
	// Permitted: the agent asked for permission, and has it by the policy.
	Permitted EventKind = "permitted"
	Limited   EventKind = "limit"
	Session   EventKind = "session"
	Asked     EventKind = "question"
	// Trouble is what the agent tries to get over by itself, or warns of.
	Trouble EventKind = "trouble"
	Result  EventKind = "result"
	// Raw is a line that the driver does not understand. It is kept.
	Raw EventKind = "raw"
)
