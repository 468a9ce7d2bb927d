package engine

import (
	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// Loop is everything about one loop.
type Loop struct {
	State loop.State
	Facts
	// Dir holds its files: prompts, output, evidence.
	Dir string
	Seq int64
}

// Facts are what the state of a loop alone does not tell.
type Facts struct {
	Live, Crashed, Archived bool
	// Recovery is what supervisors did for the crashed run since it last made progress.
	Recovery recovery.Record
	// Holds: it counts against the limit of loops.
	Holds bool
	// Due: the state shown is what time has made of an agent-driven loop, and is
	// not recorded yet (Settle).
	Due   bool
	Owner string
}

// Mark is where a loop stood when it was looked at. Two marks that are equal
// stand for the same Loop, unless it is unsteady.
type Mark struct {
	ID                      string
	Seq                     int64
	Live, Crashed, Archived bool
	// Unsteady: what is shown of it may move without an event. Time ends a loop
	// that its agent drives, and a crashed one is looked after.
	Unsteady bool
}

// Integrated is a passed loop's work on top of another commit.
type Integrated struct {
	Commit string
	// FastForward: no new commit was needed, so what was proved is what is there.
	FastForward bool
	Results     []loop.Result
}
