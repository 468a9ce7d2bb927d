package planfile

import (
	"strings"
	"time"

	"ralph/internal/plan"
)

// Change is one thing to write into a plan file. Write applies changes in their
// order; the last status of a task wins.
type Change struct {
	Kind ChangeKind `json:"kind"`
	// Task is the id of the task that SetTask, Tick and AddTodo are about.
	Task string `json:"task,omitempty"`
	// Status, Attempts, Output and Error are written by SetTask; zero values
	// change nothing. At is the time: when a task ended, or a review looked at
	// the plan (Reviewed). It is written where the format has a place for it.
	Status   plan.Status `json:"status,omitempty"`
	Attempts int         `json:"attempts,omitempty"`
	Output   string      `json:"output,omitempty"`
	Error    string      `json:"error,omitempty"`
	At       time.Time   `json:"at,omitzero"`
	// Again is set when a user asked to do the task again; only then may a
	// status go backwards in the file.
	Again bool `json:"again,omitempty"`
	// Plan is the content that SetPlan writes.
	Plan plan.PlanStatus `json:"plan,omitempty"`
	// Text is the gap, the edge case, the new step, or the step or criterion to
	// tick: its text, or its id.
	Text string `json:"text,omitempty"`
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of change. Adding an entry that is present and removing one that is
// absent do nothing.
const (
	SetTask        ChangeKind = "task"
	SetPlan        ChangeKind = "plan"
	AddGap         ChangeKind = "add_gap"
	RemoveGap      ChangeKind = "remove_gap"
	AddEdgeCase    ChangeKind = "add_edge_case"
	RemoveEdgeCase ChangeKind = "remove_edge_case"
	Reviewed       ChangeKind = "reviewed"
	Tick           ChangeKind = "tick"
	AddTodo        ChangeKind = "add_todo"
)

// Left is a change, or a part of one, that was not written. The caller keeps it
// elsewhere.
type Left struct {
	Change Change `json:"change"`
	// Why is a code, Message a sentence for users.
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
	Ambiguous  Why = "ambiguous"  // several places could be meant
	Unreadable Why = "unreadable" // the file is no plan any more
	Unsafe     Why = "unsafe"     // the file could not be read after it
)

// left explains why a change was not written.
func left(c Change, why Why) Left { return Left{Change: c, Why: why, Message: c.unwritten(why)} }

func (c Change) unwritten(why Why) string {
	what := map[ChangeKind]string{
		SetTask: "the state of " + c.Task, SetPlan: "the status of the plan", Reviewed: "the time of the review",
		AddGap: "a gap", RemoveGap: "a gap", AddEdgeCase: "an edge case", RemoveEdgeCase: "an edge case",
		Tick: "a step of " + c.Task, AddTodo: "a step of " + c.Task,
	}[c.Kind]
	switch why {
	case NoPlace:
		if parts := c.parts(); c.Kind == SetTask && len(parts) > 0 {
			what = strings.Join(parts, ", ") + " of " + c.Task
		}
		return "the file has no place for " + what
	case Backwards:
		return "it is closed in the file and stays so: " + what
	case NoSuchTask:
		return "the file has no task " + c.Task
	case Renamed:
		return "another task is called " + c.Task + " in the file now"
	case NoSuchText:
		return "the file has no such step: " + quote(c.Text)
	case Ambiguous:
		return "several places in the file could be meant: " + what
	}
	return "not written: " + what
}

// parts returns the names of what SetTask writes.
func (c Change) parts() (out []string) {
	for _, part := range []struct {
		name string
		set  bool
	}{
		{"the status " + string(c.Status), c.Status != ""},
		{"the number of attempts", c.Attempts != 0},
		{"the path of the output", c.Output != ""},
		{"the error", c.Error != ""},
	} {
		if part.set {
			out = append(out, part.name)
		}
	}
	return out
}

// empty reports whether nothing is left to write; the time alone does not count.
func (c Change) empty() bool { return len(c.parts()) == 0 }

// Written is the result of Write.
type Written struct {
	// Data is the whole file, Edits the differences in the order of the file; every
	// byte outside them is unchanged.
	Data  []byte
	Edits []Edit
	// File is the parsed form of Data.
	File File
	// Left are the changes that were not written, or not whole.
	Left []Left
}

// Edit is a replacement of Length bytes at offset At.
type Edit struct {
	At, Length int
	Text       string
}
