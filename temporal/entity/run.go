package entity

import (
	"encoding/json"
	"time"
)

// WorkflowName and HoldName are the names under which workers register the workflow
// and the activity; Queue is the task queue of the workflow. They are part of the
// stored histories.
const (
	WorkflowName = "ralph.run"
	HoldName     = "ralph.hold"
	Queue        = "ralph"
)

// The names of the updates and queries.
const (
	AcquireUpdate = "acquire"
	CommitUpdate  = "commit"
	ReleaseUpdate = "release"
	SendUpdate    = "send"
	ArchiveUpdate = "archive"
	ReadQuery     = "read"
	GlanceQuery   = "glance"
)

// Memo is the name of the field of the workflow's memo that holds Shown.
const Memo = "ralph"

// Limits in bytes. A run is the input of its next execution, so everything that it
// holds must together stay below the 2 MB that the server accepts.
const (
	// MaxState bounds the state, the request, and the events of one commit.
	MaxState = 256 << 10
	// MaxJournal bounds the newest events that the entity keeps; one commit is kept
	// whole.
	MaxJournal = 256 << 10
	// MaxMessage bounds one message, MaxInbox all that wait.
	MaxMessage = 32 << 10
	MaxInbox   = 256 << 10
)

// keptTokens is how many tokens of messages are remembered, so that a repeated send
// is recognised after its message was taken.
const keptTokens = 100

// Run is all that an entity knows: the input of the workflow and of each next
// execution of it.
type Run struct {
	ID string `json:"id"`
	// Before is the execution in which the run was archived before it was acquired again;
	// empty is none. Its history has the older events.
	Before  string    `json:"before,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`

	// Epoch is that of the newest acquisition, Seq the number of the newest event.
	Epoch int64 `json:"epoch"`
	Seq   int64 `json:"seq"`
	// State is the newest state, Spec the request of the run.
	State json.RawMessage `json:"state"`
	Spec  json.RawMessage `json:"spec,omitempty"`

	// Owner is the newest one. Live: it sent heartbeats in time. Released: it ended its
	// lease, or never had one, and commits nothing more.
	Owner    Owner `json:"owner"`
	Live     bool  `json:"live"`
	Released bool  `json:"released,omitempty"`

	// Last identifies the newest commit under Epoch.
	Last Mark `json:"last"`
	// Journal are the newest events, the oldest first.
	Journal []Entry `json:"journal,omitempty"`

	// Inbox are the messages that no commit took. Sent is the number of the newest one,
	// Tokens those of the newest ones.
	Inbox  []Message `json:"inbox,omitempty"`
	Sent   int64     `json:"sent,omitempty"`
	Tokens []string  `json:"tokens,omitempty"`

	Archived bool `json:"archived,omitempty"`
	// Ended: its owner said that the run has ended.
	Ended bool `json:"ended,omitempty"`
}

// Shown is what lists show of a run without asking it. It is exact while no process has the
// run; of one that a process has it shows just that.
type Shown struct {
	Epoch int64 `json:"epoch"`
	Seq   int64 `json:"seq"`
	Live  bool  `json:"live,omitempty"`
	Ended bool  `json:"ended,omitempty"`
}

// Owner is a process that acquired a run. Queue is polled by this process alone;
// Heartbeat is how long it may be silent.
type Owner struct {
	Token     string        `json:"token"`
	Name      string        `json:"name,omitempty"`
	Process   string        `json:"process,omitempty"`
	Queue     string        `json:"queue,omitempty"`
	Heartbeat time.Duration `json:"heartbeat_ns,omitempty"`
}

// Mark identifies one commit: its number under its epoch, from 1, and a digest of its
// content.
type Mark struct {
	Number int64  `json:"number"`
	Digest string `json:"digest,omitempty"`
}

// Entry is one event as it was recorded.
type Entry struct {
	Seq   int64           `json:"seq"`
	Epoch int64           `json:"epoch"`
	At    time.Time       `json:"at"`
	Name  string          `json:"name"`
	Data  json.RawMessage `json:"data"`
}

// Message is one message of the inbox. ID grows by one with each message of a run.
type Message struct {
	ID    int64     `json:"id,omitempty"`
	Token string    `json:"token"`
	At    time.Time `json:"at"`
	Kind  string    `json:"kind"`
	Text  string    `json:"text,omitempty"`
	By    string    `json:"by,omitempty"`
}

// Acquire asks for the lease. A Spec that is not empty replaces that of the run.
type Acquire struct {
	Owner    Owner           `json:"owner"`
	TakeOver bool            `json:"take_over,omitempty"`
	Spec     json.RawMessage `json:"spec,omitempty"`
}

// Acquired is the answer: the run as the new owner finds it.
type Acquired struct {
	Epoch int64           `json:"epoch"`
	Seq   int64           `json:"seq"`
	State json.RawMessage `json:"state"`
	Sent  int64           `json:"sent"`
}

// Commit is one transition under an epoch. Seq is the number of the newest event
// before it; the numbers of Events follow. Took are messages that it carries out. Ended
// reports whether the run has ended by State.
type Commit struct {
	Epoch  int64           `json:"epoch"`
	Mark   Mark            `json:"mark"`
	Seq    int64           `json:"seq"`
	State  json.RawMessage `json:"state"`
	Events []Entry         `json:"events,omitempty"`
	Took   []int64         `json:"took,omitempty"`
	Ended  bool            `json:"ended,omitempty"`
}

// Release ends the lease of an epoch.
type Release struct {
	Epoch int64 `json:"epoch"`
}

// Glance is what an owner polls for.
type Glance struct {
	Epoch int64 `json:"epoch"`
	Sent  int64 `json:"sent"`
	Live  bool  `json:"live"`
}

// Hold is the input of the activity that shows that the owner with a token lives.
type Hold struct {
	Run   string `json:"run"`
	Token string `json:"token"`
}

// Beat is what the heartbeats of that activity tell.
type Beat struct {
	// Awaits is what the owner waits for before it records more; empty is nothing.
	Awaits string `json:"awaits,omitempty"`
}
