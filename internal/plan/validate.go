package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is the kind of a plan's error.
type Kind string

// The kinds of mistake.
const (
	NoTasks     Kind = "no_tasks"
	TooMany     Kind = "too_many"
	EmptyID     Kind = "empty_id"
	EmptyTitle  Kind = "empty_title"
	DuplicateID Kind = "duplicate_id"
	UnknownNeed Kind = "unknown_need"
	Cycle       Kind = "cycle"

	UnknownKind  Kind = "unknown_kind"
	UnknownProof Kind = "unknown_proof"
	BadGlob      Kind = "bad_glob"
	BadLabel     Kind = "bad_label"
)

// Error is one mistake in a plan.
type Error struct {
	Kind Kind
	// Line is where the task in question begins, or its field that is wrong; 0 is unknown.
	Line int
	// Task is its id, Other what it names (UnknownNeed, UnknownKind, …), and First the
	// line of the first task with the same id (DuplicateID).
	Task, Other string
	First       int
	// Path of a Cycle: each task needs the one after it, the last is the first.
	Path []string
}

func (e *Error) Error() string {
	switch e.Kind {
	case NoTasks:
		return "the plan has no tasks"
	case TooMany:
		return fmt.Sprintf("the plan has more than %d tasks", MaxTasks)
	case EmptyID:
		return "a task has no id"
	case EmptyTitle:
		return fmt.Sprintf("task %s has no title", e.Task)
	case DuplicateID:
		if e.First > 0 {
			return fmt.Sprintf("task %s is already in line %d", e.Task, e.First)
		}
		return fmt.Sprintf("task %s is there twice", e.Task)
	case UnknownNeed:
		return fmt.Sprintf("task %s depends on %s, which is not a task of this plan", e.Task, e.Other)
	case Cycle:
		return "these tasks wait for each other: " + strings.Join(e.Path, " → ")
	case UnknownKind, UnknownProof, BadGlob, BadLabel:
		return e.permissionText()
	}
	return "the plan is wrong: " + string(e.Kind)
}

// Errors are all mistakes of a plan, in the order of their lines.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
		if e[i].Line > 0 {
			lines[i] = fmt.Sprintf("line %d: %s", e[i].Line, lines[i])
		}
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each of them to errors.As.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// Validate finds every mistake; a cycle is looked for only in a plan without
// others. The error is of type Errors.
func (p Plan) Validate() error {
	_, err := p.sorted()
	return err
}

func (p Plan) mistakes() Errors {
	switch {
	case len(p.Tasks) == 0:
		return Errors{{Kind: NoTasks}}
	case len(p.Tasks) > MaxTasks:
		return Errors{{Kind: TooMany, Line: p.Tasks[MaxTasks].Line}}
	}
	var errs Errors
	lines := map[string]int{}
	for _, t := range p.Tasks {
		first, twice := lines[t.ID]
		switch {
		case strings.TrimSpace(t.ID) == "":
			errs = append(errs, &Error{Kind: EmptyID, Line: t.Line})
			lines[t.ID] = t.Line
		case twice:
			errs = append(errs, &Error{Kind: DuplicateID, Line: t.Line, Task: t.ID, First: first})
		default:
			lines[t.ID] = t.Line
		}
		if strings.TrimSpace(t.Title) == "" {
			errs = append(errs, &Error{Kind: EmptyTitle, Line: t.Line, Task: t.ID})
		}
	}
	for _, t := range p.Tasks {
		errs = append(errs, permissionMistakes(t)...)
		for _, n := range t.Needs {
			if _, known := lines[n.On]; !known {
				errs = append(errs, &Error{Kind: UnknownNeed, Line: t.Line, Task: t.ID, Other: n.On})
			}
		}
	}
	slices.SortStableFunc(errs, func(a, b *Error) int { return a.Line - b.Line })
	return errs
}
