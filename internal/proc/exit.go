package proc

import (
	"errors"
	"time"
)

// ErrLost says that nobody saw how a child ended: its shim was killed. What
// the shim left behind has been ended.
var ErrLost = errors.New("the child's supervisor process was lost")

// ErrUsed says that the run directory already holds a run.
var ErrUsed = errors.New("the run directory already holds a run")

// Exit is how a child ended. Only OK means success: a child may well exit
// with 0 because it was told to stop.
type Exit struct {
	// Code is the exit code; nil when the child did not exit: a signal ended
	// it, it could not be started, or nobody knows.
	Code *int `json:"code"`
	// Signal is the name of the signal that ended it, such as SIGKILL.
	Signal string `json:"signal,omitempty"`

	// CannotStart: there was no child, Reason says why.
	CannotStart bool   `json:"cannot_start,omitempty"`
	Reason      string `json:"reason,omitempty"`

	// At most one of these is set; none says that the child ended by itself.
	TimedOut bool `json:"timed_out,omitempty"`
	Stopped  bool `json:"stopped,omitempty"`
	Finished bool `json:"finished,omitempty"`

	// Leftovers counts the descendants that had to be ended; Survivors those
	// that could not be (another user's, or stuck in the kernel).
	Leftovers int `json:"leftovers,omitempty"`
	Survivors int `json:"survivors,omitempty"`

	StartedAt time.Time     `json:"started_at"`
	Duration  time.Duration `json:"duration_ns"`
	// MaxRSS is the peak of the largest process, in bytes. The few MB of the
	// shim, which the child was before its exec, are its floor.
	MaxRSS     int64         `json:"max_rss"`
	UserTime   time.Duration `json:"user_ns"`
	SystemTime time.Duration `json:"system_ns"`
}

// OK says that the child ended by itself with exit code 0.
func (e Exit) OK() bool {
	return e.Code != nil && *e.Code == 0 && !e.CannotStart && !e.TimedOut && !e.Stopped && !e.Finished
}

// ending is who ended the child.
type ending string

const (
	byItself    ending = "itself"
	byStop      ending = "stopped"
	byTimeout   ending = "timeout"
	byFinish    ending = "finished"
	byAbandoned ending = "abandoned"
)

// exitRecord is exit.json.
type exitRecord struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	Ended  ending `json:"ended"`
	Exit
}

const exitSchema = "ralph.exit/v1"

// settle writes the ending into the flags that callers read.
func (r exitRecord) settle() Exit {
	e := r.Exit
	e.TimedOut = r.Ended == byTimeout
	e.Finished = r.Ended == byFinish
	e.Stopped = r.Ended == byStop || r.Ended == byAbandoned
	return e
}
