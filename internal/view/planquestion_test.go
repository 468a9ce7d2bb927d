package view

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestAQuestionKeepsItsLines: each line of a question of a plan begins on a line of its
// own, marked as a part of the question.
func TestAQuestionKeepsItsLines(t *testing.T) {
	t.Parallel()
	w := &sheet{now: now}
	w.question("task-1: ", loop.Question{Text: "it wants 3\nThe gate: exit code 1\n"})
	if got, want := strings.TrimSpace(w.b.String()), "? task-1: it wants 3\n| The gate: exit code 1"; got != want {
		t.Errorf("%q", got)
	}
}
