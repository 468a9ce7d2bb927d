package config

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"
)

// syntax is the error of a file that is not YAML, in words that name the usual mistakes.
func syntax(src Source, err error) *Error {
	e := &Error{File: src.Name, Message: err.Error(), Hint: "this is not valid YAML"}
	load, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return e
	}
	at := load.Mark
	e.Message = load.Message
	switch {
	case tabAt(src.Data, at):
		e.Message, e.Hint = "a tab indents this line", "indent with spaces; "+e.Hint
	case load.ContextMsg == "while scanning a quoted scalar":
		at = load.ContextMark // its end is the end of the file
		e.Message, e.Hint = "the quote that begins here has no end", "close it; "+e.Hint
	}
	e.Line, e.Column = at.Line, at.Column
	return e
}

// tabAt reports whether a tab is at a place, or before it, in the indentation of its line.
func tabAt(data []byte, at yaml.Mark) bool {
	lines := strings.Split(string(data), "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return false
	}
	line := lines[at.Line-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return strings.Contains(indent, "\t") && at.Column <= len(indent)+1
}
