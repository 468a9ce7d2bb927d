package planview

import (
	"fmt"
	"strings"

	"ralph/internal/plan"
	"ralph/internal/report/clean"
)

// columns of the text.
const columns = 80

type text struct{ b strings.Builder }

func (t *text) head(s string) { fmt.Fprintf(&t.b, "\n%s\n", s) }

// line wraps one line, hung at n columns.
func (t *text) line(n int, s string) {
	for i, l := range wrap(clean.Line(s), columns-n) {
		if i > 0 {
			t.b.WriteString(strings.Repeat(" ", n))
		}
		t.b.WriteString(l + "\n")
	}
}

// under is a line below a task.
func (t *text) under(s string) {
	t.b.WriteString("         ")
	t.line(9, s)
}

// wrap breaks a line between words where it can.
func wrap(s string, width int) []string {
	rest := []rune(s)
	var out []string
	for len(rest) > width {
		at := width
		for i := width; i > 0; i-- {
			if rest[i] == ' ' {
				at = i
				break
			}
		}
		out = append(out, strings.TrimRight(string(rest[:at]), " "))
		rest = []rune(strings.TrimLeft(string(rest[at:]), " "))
	}
	return append(out, string(rest))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// mark is one sign for a status.
func mark(s plan.Status) string {
	switch s {
	case plan.Done:
		return "✓"
	case plan.Running:
		return "●"
	case plan.Failed, plan.Blocked:
		return "✗"
	case plan.Skipped:
		return "·"
	}
	return "○"
}
