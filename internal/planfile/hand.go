package planfile

import (
	"ralph/internal/plan"
)

// hand writes changes the way one format does: each method makes the edits and
// tells what the format has no place for.
type hand interface {
	// setTask writes what is not zero, and returns that of it which has no place.
	setTask(e *edits, i int, c Change) Change
	// tick marks a step or a criterion of a task as done.
	tick(e *edits, i int, c Change) Why
	setPlan(e *edits, s plan.PlanStatus) bool
	// setTexts takes texts out of the list of that name, and adds others.
	setTexts(e *edits, name string, l texts) bool
	reviewed(e *edits, c Change) bool
	// addTodos adds steps to a task.
	addTodos(e *edits, i int, all []Change) bool
	// settle brings up to date what depends on the status of several tasks, where
	// one of them was written.
	settle(e *edits, now statuses)
}

// texts is how a list changes: the numbers of items that go, and what comes.
type texts struct {
	gone  []int
	added []string
	// left is how many of the old ones stay.
	left int
	// whole is the list that comes of it.
	whole []string
}

func (t texts) none() bool { return len(t.gone) == 0 && len(t.added) == 0 }

// The names of the lists, as seed 003 writes them.
const (
	gapsKey      = "gaps"
	edgeCasesKey = "edge_cases"
)

// handless has no place for anything.
type handless struct{}

func (handless) setTask(_ *edits, _ int, c Change) Change { return c }
func (handless) tick(*edits, int, Change) Why             { return NoPlace }
func (handless) setPlan(*edits, plan.PlanStatus) bool     { return false }
func (handless) setTexts(*edits, string, texts) bool      { return false }
func (handless) reviewed(*edits, Change) bool             { return false }
func (handless) addTodos(*edits, int, []Change) bool      { return false }
func (handless) settle(*edits, statuses)                  {}

// statuses are those of all tasks after the changes.
type statuses struct {
	tasks  []plan.Task
	wanted map[int]Change
}

func (s statuses) of(i int) plan.Status {
	if now := s.wanted[i].Status; now != "" {
		return now
	}
	return s.tasks[i].Status
}

// over: all of these tasks are, and one of them was written now.
func (s statuses) over(parts []int) bool {
	written := false
	for _, i := range parts {
		written = written || s.wanted[i].Status != ""
		if s.of(i).Open() {
			return false
		}
	}
	return written
}
