package planview

import (
	"ralph/internal/plan"
	"ralph/internal/report/page"
)

type text struct{ page.Page }

// under is a line below a task.
func (t *text) under(s string) {
	t.WriteString("         ")
	t.Line(9, s)
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
