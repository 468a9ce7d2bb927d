package migrate

import (
	"fmt"
	"time"

	"ralph/internal/loop"
)

// Found is one loop of another runner, as far as its file describes it.
type Found struct {
	Kind Kind
	// Source is where it was found, relative to the root; SHA256 of the bytes.
	Source, SHA256 string
	// ID is its name there: any text, perhaps none.
	ID string

	// Task is the work to do; empty where the file does not say. TaskID is a short
	// name.
	Task, TaskID string
	// Completion is the completion criterion in its own words; Promise is a word
	// for the agent to print, which proves nothing.
	Completion, Promise string
	// Gate is the named check, Threshold its floor (seed 000).
	Gate          string
	Threshold     *float64
	Agent, Parent string

	// Word is the status in the file, Standing its meaning.
	Word     string
	Standing Standing
	// Stopped is the reason in the file.
	Stopped string

	Iteration, Max int
	Attempts       []loop.Attempt
	Usage          loop.Usage

	StartedAt, ProgressAt, EndedAt, UpdatedAt time.Time

	// Current: old readers find it under current-loop.json.
	Current bool
	// Lost lists the parts that cannot be converted.
	Lost []Loss
}

// Standing is the meaning of a foreign status.
type Standing int

// An Open loop could continue.
const (
	Open Standing = iota
	Passed
	Failed
	Aborted
)

// Loss is something that is not converted.
type Loss struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Error is why a source cannot be read. Line counts from 1; 0 is unknown.
type Error struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
	// Hint is a suggestion, if there is one.
	Hint string `json:"hint,omitempty"`
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Why)
	}
	return e.Path + ": " + e.Why
}

// meaning of the words that runners write for a status. An unknown word means an
// ended loop that did not pass.
func meaning(word string) (s Standing, known bool) {
	switch word {
	case "running", "paused", "waiting", "completing", "recovering", "interrupted", "crashed", "pending", "active":
		return Open, true
	case "completed", "complete", "success", "succeeded", "passed":
		return Passed, true
	case "failed", "limit_reached", "plateau":
		return Failed, true
	case "aborted", "cancelled", "canceled", "stopped", "timeout", "budget_exhausted":
		return Aborted, true
	}
	return Aborted, false
}

// endUsedUp ends a loop that has used all of its iterations: its runner would have
// noticed at the next one.
func (f *Found) endUsedUp() {
	if f.Standing == Open && f.Max > 0 && f.made() >= f.Max && !f.underWay() {
		f.Standing, f.Stopped = Failed, "max_iterations"
	}
}

// shelve ends a loop that its runner archived, whatever its file says.
func (f *Found) shelve() {
	if f.Standing == Open {
		f.Standing = Aborted
	}
}

// verdict returns the status and reason of an ended loop. A reason that ralph knows
// decides the status: seed 000's program called regression and stall failures, its
// design and ralph call them aborts.
func (f *Found) verdict() (loop.Status, loop.Reason) {
	if f.Standing == Passed {
		return loop.StatusPassed, loop.Imported
	}
	for _, word := range []string{f.Stopped, f.Word} {
		switch word {
		case "max_iterations", "limit_reached":
			return loop.StatusFailed, loop.MaxAttempts
		case "repeated_failure":
			return loop.StatusFailed, loop.Stuck
		case "plateau":
			return loop.StatusFailed, loop.Plateau
		case "regression_detected":
			return loop.Aborted, loop.Regression
		case "stalled":
			return loop.Aborted, loop.Stalled
		case "timeout":
			return loop.Aborted, loop.Timeout
		case "budget_exhausted":
			return loop.Aborted, loop.Budget
		case "manual":
			return loop.Aborted, loop.Manual
		}
	}
	if f.Standing == Failed {
		return loop.StatusFailed, loop.Imported
	}
	return loop.Aborted, loop.Imported
}
