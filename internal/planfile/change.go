package planfile

import (
	"time"

	"ralph/internal/plan"
)

// Change is one thing to write into a plan file. Changes of one Write are made
// in their order: the last word on a task's status counts.
type Change struct {
	Kind ChangeKind `json:"kind"`
	// Task is the id of the task that SetTask and Tick are about.
	Task string `json:"task,omitempty"`
	// Status, Attempts, Output and Error are what SetTask writes; what is zero
	// stays as it is. At is when it happened: when a task ended, or a review
	// looked at the plan (Reviewed). It is written where the format keeps it.
	Status   plan.Status `json:"status,omitempty"`
	Attempts int         `json:"attempts,omitempty"`
	Output   string      `json:"output,omitempty"`
	Error    string      `json:"error,omitempty"`
	At       time.Time   `json:"at,omitzero"`
	// Again: a person asked for the task to be done again. Only then a status
	// goes backwards in the file.
	Again bool `json:"again,omitempty"`
	// Plan is what SetPlan writes.
	Plan plan.PlanStatus `json:"plan,omitempty"`
	// Text is the gap, the edge case, or the step or criterion to tick (its text,
	// or its id).
	Text string `json:"text,omitempty"`
}

// ChangeKind says what a change is about.
type ChangeKind string

// The kinds of change. Adding what is there, and removing what is not, are done
// already.
const (
	SetTask        ChangeKind = "task"
	SetPlan        ChangeKind = "plan"
	AddGap         ChangeKind = "add_gap"
	RemoveGap      ChangeKind = "remove_gap"
	AddEdgeCase    ChangeKind = "add_edge_case"
	RemoveEdgeCase ChangeKind = "remove_edge_case"
	Reviewed       ChangeKind = "reviewed"
	Tick           ChangeKind = "tick"
)

// Left is a change, or a part of one, that was not written. Whoever asked for it
// keeps it in a record of their own.
type Left struct {
	Change Change `json:"change"`
	// Why is a code, Message the sentence for people.
	Why     Why    `json:"why"`
	Message string `json:"message"`
}

// Why is the reason for which a change was not written.
type Why string

// The reasons.
const (
	NoPlace    Why = "no_place"   // the format has no field for it
	Backwards  Why = "backwards"  // the file says that it is done
	NoSuchTask Why = "no_task"    // it is gone, or has another id
	Renamed    Why = "renamed"    // the id belongs to a task of another title now
	NoSuchText Why = "no_text"    // no step or criterion of this text
	Unreadable Why = "unreadable" // the file is no plan any more
)

// Written is what became of changes.
type Written struct {
	// Data is the whole file, and Edits what is different in it, in its order:
	// everything outside them is byte for byte what it was.
	Data  []byte
	Edits []Edit
	// Left are the changes that were not written, or not whole.
	Left []Left
}

// Edit is a replacement of Length bytes at offset At.
type Edit struct {
	At, Length int
	Text       string
}
