package report

import "ralph/internal/report/clean"

// Clean makes foreign text safe for a terminal: no escape sequences, control,
// bidirectional or invisible characters, no invalid UTF-8. Line feeds and tabs
// stay.
func Clean(s string) string { return clean.Text(s) }

// line is Clean on one line.
func line(s string) string { return clean.Line(s) }
