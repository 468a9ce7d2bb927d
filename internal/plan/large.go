package plan

import (
	"strings"
	"unicode/utf8"
)

// largeText is the length from which on a task's words make it a large one, in
// characters (seed 002).
const largeText = 200

// Large says that a task is to be done by a list of steps (seed 002): much is said
// of it, or it implements or creates something.
func (t Task) Large() bool {
	title := strings.ToLower(t.Title)
	return utf8.RuneCountInString(t.Text) > largeText || strings.Contains(title, "implement") || strings.Contains(title, "create")
}
