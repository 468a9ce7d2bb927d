package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Error is one mistake in one place. File is a file's name, an environment
// variable or a flag; Line and Column count from 1 and are 0 where there is no
// such place. Hint says what to do.
type Error struct {
	File    string
	Line    int
	Column  int
	Message string
	Hint    string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Message)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Errors are all mistakes that were found, in the order of their places.
type Errors []*Error

// maxErrors bounds the report: nobody reads the 51st line.
const maxErrors = 50

func (e Errors) Error() string {
	lines := make([]string, 0, len(e))
	for i, one := range e {
		if i == maxErrors {
			lines = append(lines, fmt.Sprintf("and %d more", len(e)-i))
			break
		}
		lines = append(lines, one.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find the first Error.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// problem is an Error that does not know its file yet. A nil node means the
// node that was being read.
type problem struct {
	node    *yaml.Node
	message string
	hint    string
}

func wrong(hint, format string, args ...any) *problem {
	return &problem{message: fmt.Sprintf(format, args...), hint: hint}
}

func (p *problem) at(n *yaml.Node) *problem {
	p.node = n
	return p
}

// clip shows a value of any size and content on one line.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
