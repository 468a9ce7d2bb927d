package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// MaxSize is how large a plan file may be, in bytes.
const MaxSize = 4 << 20

// Format names one way to write a plan.
type Format string

// The formats that are read.
const (
	PRD       Format = "prd"
	Stories   Format = "stories"
	Sections  Format = "sections"
	Tasks     Format = "tasks"
	Checklist Format = "checklist"
)

// File is a plan as it was read.
type File struct {
	Format Format
	Plan   plan.Plan
}

// known is what the refusal of any other file lists.
const known = "JSON with tasks and dependencies, JSON with userStories, Markdown with frontmatter and ## sections, " +
	"Markdown with ### Task N: headings, a Markdown checklist"

// Read recognises the format and reads the plan. name stands in messages, and
// helps where the content leaves the format open. The error is of type Errors.
func Read(name string, data []byte) (File, error) {
	f, err := read(name, data)
	if err == nil {
		err = f.Plan.Validate()
	}
	if err != nil {
		return File{}, located(name, err)
	}
	return f, nil
}

func read(name string, data []byte) (File, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	text := bytes.TrimSpace(data)
	switch {
	case len(data) > MaxSize:
		return File{}, wrong(0, "keep it below 4 MiB", "%d bytes are too many for a plan", len(data))
	case len(text) == 0:
		return File{}, wrong(0, "", "the file is empty")
	case bytes.IndexByte(data, 0) >= 0:
		return File{}, wrong(0, "", "this is no text")
	case text[0] == '{' || text[0] == '[':
		return readJSON(data)
	}
	return readMarkdown(name, string(data))
}

// unknown refuses a file that has tasks in no way we know.
func unknown() error {
	return wrong(0, "known are: "+known, "this is no plan in a format that is known")
}

// foreign refuses a file of another tool, which would be misread.
func foreign(tool string) error {
	return wrong(0, "known are: "+known, "this looks like a file of %s, which cannot be read yet", tool)
}

// located gives every mistake the file's name.
func located(name string, err error) error {
	var out Errors
	switch e := err.(type) { //nolint:errorlint // both are our own, never wrapped
	case Errors:
		out = e
	case plan.Errors:
		for _, one := range e {
			out = append(out, &Error{Line: one.Line, Message: one.Error(), Err: one})
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

// Error is one mistake in a plan file.
type Error struct {
	File string
	// Line counts from 1; 0 is the file as a whole.
	Line    int
	Message string
	// Hint is what to try; it may be empty.
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

// Unwrap gives the mistake in the plan.
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

// Unwrap gives each of them to errors.As.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// Hint is the first that any of them has.
func (e Errors) Hint() string {
	for _, one := range e {
		if one.Hint != "" {
			return one.Hint
		}
	}
	return ""
}

func wrong(line int, hint, format string, args ...any) error {
	return Errors{{Line: line, Message: fmt.Sprintf(format, args...), Hint: hint}}
}

// both collects the mistakes of two steps.
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
