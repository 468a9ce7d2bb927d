package planfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// unknown refuses a file whose format is not known.
func unknown() error {
	return parseError(0, "known formats: "+known, "not a plan in a known format")
}

// foreign refuses a file of another tool that would be misread.
func foreign(tool string) error {
	return parseError(0, "known formats: "+known, "this looks like a file of %s, which cannot be read yet", tool)
}

// located adds the file's name to every mistake.
func located(name string, err error) error {
	var out Errors
	switch e := err.(type) { //nolint:errorlint // both are our own, never wrapped
	case Errors:
		out = e
	case plan.Errors:
		for _, one := range e {
			out = append(out, &Error{Line: one.Line, Message: one.Error(), Hint: hint(one.Kind), Err: one})
		}
	default:
		out = Errors{{Message: err.Error(), Err: err}}
	}
	for _, e := range out {
		e.File = name
	}
	slices.SortStableFunc(out, func(a, b *Error) int { return a.Line - b.Line })
	return out
}

// hint returns what to try where the message does not say it.
func hint(k plan.Kind) string {
	if k != plan.NoTasks {
		return ""
	}
	return `a task is a box ("- [ ] words"), a heading "### Task 1: words", or an object in JSON; ralph plan import --help names all forms`
}

// Error is one mistake in a plan file.
type Error struct {
	File string
	// Line counts from 1; 0 is the file as a whole.
	Line    int
	Message string
	// Hint is a suggestion; it may be empty.
	Hint string
	// Err is the mistake in the plan (*plan.Error), or nil.
	Err error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Unwrap returns the mistake in the plan.
func (e *Error) Unwrap() error { return e.Err }

// Errors are all mistakes that were found, in the order of their lines.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find each of them.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// Hint returns the first hint.
func (e Errors) Hint() string {
	for _, one := range e {
		if one.Hint != "" {
			return one.Hint
		}
	}
	return ""
}

func parseError(line int, hint, format string, args ...any) error {
	return Errors{{Line: line, Message: fmt.Sprintf(format, args...), Hint: hint}}
}

// both joins the mistakes of two steps.
func both(a, b error) error {
	var all Errors
	for _, err := range []error{a, b} {
		if some, ok := errors.AsType[Errors](err); ok {
			all = append(all, some...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
