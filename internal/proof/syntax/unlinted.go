package syntax

import (
	"go/format"
	"path"
	"strings"
)

// forLinters tells flake8, Ruff, Pylint and mypy to leave a source of Python alone; forESLint does
// it for ESLint.
const (
	forLinters = "\n# flake8: noqa\n# ruff: noqa\n# pylint: skip-file\n# mypy: ignore-errors\n"
	forESLint  = "/* eslint-disable */ "
)

// Unlinted is a source that was changed for one run of a gate, in a form of which linters and
// formatters in the same command do not complain, as far as a source can say so: gofmt has no word
// for it, and other formatters have none for a whole file.
func Unlinted(file string, source []byte) []byte {
	if len(source) == 0 {
		return source
	}
	switch path.Ext(file) {
	case ".go":
		if formatted, err := format.Source(source); err == nil {
			return formatted
		}
	case ".py":
		return append(source[:len(source):len(source)], forLinters...)
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		// The first comment of a file may set it up for Jest.
		if text := string(source); !strings.HasPrefix(text, "#!") && !strings.HasPrefix(strings.TrimSpace(text), "/*") {
			return []byte(forESLint + text)
		}
	}
	return source
}
