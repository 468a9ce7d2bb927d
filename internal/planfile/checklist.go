package planfile

import (
	"strings"

	"ralph/internal/plan"
)

// readChecklist reads boxes as tasks, each waiting for the one before. Boxes
// below a box are its criteria, other lines below it its text. Under headings
// such as "Future" nothing is a task.
func readChecklist(lines []line) (File, error) {
	c := checklist{ids: names{}, file: File{Format: Checklist}}
	c.file.Plan.Title = firstTitle(lines)
	for _, l := range lines {
		c.take(l)
	}
	c.close()
	inOrder(c.file.Plan.Tasks)
	return c.file, nil
}

type checklist struct {
	file File
	ids  names
	// off is the level of the heading that puts boxes aside, 0 for none.
	off int
	// open is the task that lines belong to, at its column; details its text.
	open    *plan.Task
	column  int
	details []line
}

func (c *checklist) take(l line) {
	if l.heading > 0 {
		c.close()
		if c.off == 0 || l.heading <= c.off {
			c.off = 0
			if aside(l.title) {
				c.off = l.heading
			}
		}
		return
	}
	b, ok := boxOf(l)
	switch {
	case c.off > 0:
	case ok && c.open != nil && b.indent > c.column:
		c.open.Criteria = append(c.open.Criteria, b.text)
	case ok:
		c.close()
		c.open, c.column = &plan.Task{ID: c.ids.of(b.text), Title: b.text, Status: done(b.done), Line: l.n}, b.indent
	case c.open != nil && (l.code || l.text == "" || indent(l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))]) > c.column):
		c.details = append(c.details, l)
	default:
		c.close()
	}
}

func (c *checklist) close() {
	if c.open != nil {
		c.open.Text = unindented(c.details)
		c.file.Plan.Tasks = append(c.file.Plan.Tasks, *c.open)
	}
	c.open, c.details = nil, nil
}

// unindented takes away the space that all lines begin with.
func unindented(lines []line) string {
	text := strings.Split(body(lines), "\n")
	least := -1
	for _, s := range text {
		if rest := strings.TrimLeft(s, " \t"); rest != "" && (least < 0 || len(s)-len(rest) < least) {
			least = len(s) - len(rest)
		}
	}
	for i, s := range text {
		text[i] = s[min(max(least, 0), len(s)):]
	}
	return strings.TrimSpace(strings.Join(text, "\n"))
}

// aside says whether what stands below a heading is not to be done now, or is
// no work at all.
func aside(title string) bool {
	title = strings.ToLower(title)
	for _, word := range []string{"optional", "future", "nice to have", "nice-to-have", "out of scope", "success criteria", "definition of done", "non-goals"} {
		if strings.Contains(title, word) {
			return true
		}
	}
	return false
}
