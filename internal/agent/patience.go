package agent

import (
	"time"

	"ralph/internal/loop"
)

// Patience says how long an agent may be silent. Several are known to hang for
// ever when their provider tells them to come back in an hour, or when there is
// no network. A zero part never comes.
type Patience struct {
	// Start is for the first output of all.
	Start time.Duration
	// Stall is between two outputs, Tool the same while a tool runs.
	Stall, Tool time.Duration
	// Retry is how long an agent may go on saying that it tries its provider
	// again, without anything coming of it.
	Retry time.Duration
}

// PatienceFor is what an agent gets, by its setting for silences.
func PatienceFor(a loop.Agent) Patience {
	const m = time.Minute
	stall := a.Stall
	if stall <= 0 {
		// Models think for minutes without a word.
		stall = 10 * m
	}
	// opencode and the like print nothing while a tool runs; a slow machine
	// needs half a minute for their first word. Agents that give up by
	// themselves do so within three and a half minutes.
	return Patience{Start: min(3*m, stall), Stall: stall, Tool: 3 * stall, Retry: min(5*m, stall)}
}
