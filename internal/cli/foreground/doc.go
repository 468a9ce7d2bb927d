// Package foreground drives a run, of a loop or of a plan, in this process, for
// a user at a terminal or in the background.
//
//	start    a handle starts or resumes the run
//	drive    the engine runs it; the screen shows a line for each step, and
//	         signals become requests to stop
//	ask      a run that waits for a person asks here, in place; an answer that
//	         is given elsewhere ends the prompt
//	resume   an answered run continues
//	ending   one summary or object is written
//	exit     the outcome decides the exit code
//
// With --detach the command starts itself again in the background: that process
// drives the run, and the starter ends as soon as the run is recorded.
package foreground

import (
	"ralph/internal/cli/project"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Runner drives runs in this process: it starts them in an engine, which has an
// engine/runner for each loop.
type Runner struct {
	*project.Opener
	// Args are the arguments as typed, in the directory Started.
	Args    []string
	Started string
	// Handoff ties a command in the background to its starter; nil in the
	// foreground. It is released at the event with the name Recorded; "" is the
	// first one that finds the run active.
	Handoff  *proc.Handoff
	Recorded string
}

// place is where this process drives runs.
func (a *Runner) place() loop.Place {
	if a.Handoff != nil {
		return loop.Background
	}
	return loop.Foreground
}

// New returns a runner in the foreground.
func New(o *project.Opener) *Runner { return &Runner{Opener: o} }

// Copy returns a runner whose terminal can be changed without this one's.
func (a *Runner) Copy() *Runner {
	own, o := *a, *a.Opener
	own.Opener = &o
	return &own
}
