package planfile

import (
	"strings"

	"ralph/internal/plan"
)

// item is a checkbox that is a task, with the lines below it.
type item struct {
	box
	// group is the heading above; part counts headings.
	group string
	part  int
	// inner are boxes below that are not tasks, details the other lines.
	inner   []box
	details []line
}

// items splits lists: boxes that pass are tasks, deeper boxes that do not belong
// to them. Nothing under headings such as "Future" is a task; each such heading
// with boxes is one warning.
func items(lines []line, pass func(b box, inside bool) bool) (all []item, skipped []Warning) {
	s := splitter{pass: pass}
	for _, l := range lines {
		s.take(l)
	}
	s.close()
	return s.all, s.skipped
}

type splitter struct {
	pass func(b box, inside bool) bool
	all  []item
	open *item
	// off is the level of the heading that excludes boxes, 0 for none.
	off     int
	head    line
	group   string
	part    int
	skipped []Warning
}

func (s *splitter) take(l line) {
	if l.heading > 0 {
		s.heading(l)
		return
	}
	b, ok := boxOf(l)
	inside := ok && s.open != nil && b.indent > s.open.indent
	switch {
	case s.off > 0:
		s.skip(ok)
	case ok && !sample(b.text) && s.pass(b, inside):
		s.close()
		s.open = &item{box: b, group: s.group, part: s.part}
	case inside:
		s.open.inner = append(s.open.inner, b)
	case ok:
		s.close()
	case s.open != nil && (l.code || l.text == "" || leading(l.text) > s.open.indent):
		s.open.details = append(s.open.details, l)
	default:
		s.close()
	}
}

func (s *splitter) heading(l line) {
	s.close()
	s.group, s.part, s.head = l.title, s.part+1, l
	if l.heading == 1 {
		s.group = "" // the title of the whole
	}
	if s.off == 0 || l.heading <= s.off {
		s.off = 0
		if excluded(l.title) {
			s.off = l.heading
		}
	}
}

// skip warns once per heading that its boxes are not tasks.
func (s *splitter) skip(box bool) {
	if n := len(s.skipped); box && (n == 0 || s.skipped[n-1].Line != s.head.n) {
		s.skipped = append(s.skipped, Warning{s.head.n, "text under " + quote(s.head.title) + " is not read as a task"})
	}
}

func (s *splitter) close() {
	if s.open != nil {
		s.all = append(s.all, *s.open)
	}
	s.open = nil
}

// leading returns the columns of space that a line begins with.
func leading(s string) int { return indent(s[:len(s)-len(strings.TrimLeft(s, " \t"))]) }

// sample reports whether a text is a template's placeholder for a task.
func sample(text string) bool {
	return strings.HasPrefix(text, "TXXX") || strings.HasPrefix(text, "[") && strings.IndexByte(text, ']') == len(text)-1
}

// excluded reports whether the lines below a heading are not work, or not yet.
func excluded(title string) bool {
	title = strings.ToLower(title)
	for _, word := range []string{"optional", "future", "nice to have", "nice-to-have", "out of scope", "success criteria", "definition of done", "non-goals"} {
		if strings.Contains(title, word) {
			return true
		}
	}
	return false
}

// boxTexts returns the texts of boxes.
func boxTexts(all []box) (out []string) {
	for _, b := range all {
		out = append(out, b.text)
	}
	return out
}

// unindented removes the space that all lines begin with.
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

// readChecklist reads boxes as tasks, each waiting for the one before. Boxes below
// a box are its criteria, other lines its text.
func (d document) readChecklist() (File, error) {
	f := File{Format: Checklist, Plan: plan.Plan{Title: firstTitle(d.lines)}}
	all, skipped := items(d.lines, func(_ box, inside bool) bool { return !inside })
	ids := names{}
	ticks := newTicks(d)
	for _, it := range all {
		t := plan.Task{
			ID: ids.of(it.text), Title: it.text, Text: unindented(it.details), Criteria: boxTexts(it.inner),
			Group: it.group, Status: done(it.done()), Line: it.n,
		}
		permissionBelow(&t, it.details)
		f.Plan.Tasks = append(f.Plan.Tasks, t)
		ticks.add([]box{it.box}, it.inner)
	}
	inOrder(f.Plan.Tasks)
	f.writer, f.Warnings = ticks, skipped
	f.linkIssues(d.lines, all)
	return f, nil
}
