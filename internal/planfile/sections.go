package planfile

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"ralph/internal/plan"
)

// sectionsLike reports whether the frontmatter has a key of seed 003's plans.
func sectionsLike(front frontmatter) bool {
	return slices.ContainsFunc([]string{gapsKey, edgeCasesKey, "progress", "last_review"}, front.has)
}

// newSections reports whether a document without any other kind of task is a
// plan of seed 003 that has not begun: its frontmatter has the status alone.
func (d document) newSections() bool {
	switch plan.PlanStatus(d.front.values["status"].text()) {
	case plan.PlanPending, plan.PlanInProgress:
		return slices.ContainsFunc(d.lines, func(l line) bool { return l.heading == 2 && !noUnit(l.title) })
	}
	return false
}

// readSections reads seed 003's plan: each ## heading is a unit of work that
// waits for the one before. Only progress in the frontmatter decides which are
// complete: a section added to a plan with status complete is open work.
func (d document) readSections() (File, error) {
	h := &sectionsWriter{frontText: frontText{d.front, d.text}, ticks: newTicks(d)}
	f := File{Format: Sections, writer: h}
	f.Plan.Title, f.Plan.Sectioned = firstTitle(d.lines), true
	f.Plan.Constraints = preamble(d.lines, func(l line) bool { return l.heading == 2 })
	ids := names{}
	for i, l := range d.lines {
		switch {
		case l.heading != 2:
		case noUnit(l.title):
			f.warn(l.n, "the section %s is not read as a unit of work", quote(l.title))
		default:
			own := d.lines[i+1 : i+1+until(d.lines[i+1:], 2)]
			t := plan.Task{ID: ids.of(l.title), Title: l.title, Text: body(own), Criteria: boxTexts(boxes(own)), Status: plan.Pending, Line: l.n}
			takeLabels(&t, own)
			f.warnOfLabels(own)
			f.Plan.Tasks = append(f.Plan.Tasks, t)
			h.add(nil, boxes(own))
		}
	}
	inOrder(f.Plan.Tasks)
	err := both(h.state(&f.Plan), h.progress(f.Plan))
	for i, s := range h.units {
		if s.status != "" {
			f.Plan.Tasks[i].Status = s.status
		}
	}
	f.Warnings = append(f.Warnings, h.warnings...)
	f.overButOpen(h.front.values["status"].line)
	if d.front.lines == 0 {
		f.writer = h.ticks // there is no place for the state of the plan
	}
	return f, err
}

// overButOpen warns about a closed plan with an open section.
func (f *File) overButOpen(line int) {
	if f.Plan.Status != plan.PlanComplete && f.Plan.Status != plan.PlanArchived {
		return
	}
	for _, t := range f.Plan.Tasks {
		if t.Status.Open() {
			f.warn(line, "the status is %s, and progress does not call %s complete: it is open", f.Plan.Status, quote(t.Title))
			return
		}
	}
}

// until counts the lines before the next heading of that level or above.
func until(lines []line, level int) int {
	n := slices.IndexFunc(lines, func(l line) bool { return l.heading > 0 && l.heading <= level })
	if n < 0 {
		return len(lines)
	}
	return n
}

// noUnit reports whether a heading announces that it holds no work.
func noUnit(title string) bool {
	switch strings.ToLower(strings.TrimSpace(title)) {
	case "notes", "references", "changelog", "appendix", "glossary":
		return true
	}
	return excluded(title)
}

// preamble returns the text between the title and the first line of a task.
func preamble(lines []line, begins func(line) bool) string {
	end := slices.IndexFunc(lines, begins)
	if end < 0 {
		return ""
	}
	start := slices.IndexFunc(lines[:end], func(l line) bool { return l.heading == 1 })
	return strings.TrimSpace(body(lines[start+1 : end]))
}

// state reads what the frontmatter says about the whole plan.
func (h *sectionsWriter) state(p *plan.Plan) error {
	v := h.front.values["status"]
	switch s := plan.PlanStatus(v.text()); s {
	case "", plan.PlanPending, plan.PlanInProgress, plan.PlanComplete, plan.PlanArchived:
		p.Status = s
	default:
		return parseError(v.line, "write pending, in_progress, complete or archived", "unknown status %s", quote(string(s)))
	}
	p.LastReview = h.front.values["last_review"].text()
	if v := h.front.values[gapRoundsKey]; v.node != nil {
		n, err := strconv.Atoi(v.text())
		if err != nil || n < 0 {
			return parseError(v.line, "write a whole number, 0 or more", "%s is not a number of rounds", gapRoundsKey)
		}
		p.GapRounds = &n
	}
	var err error
	p.Gaps, err = h.list(gapsKey)
	edgeCases, wrongToo := h.list(edgeCasesKey)
	p.EdgeCases = edgeCases
	return both(err, wrongToo)
}

// list reads a list of texts of the frontmatter.
func (h *sectionsWriter) list(key string) ([]string, error) {
	v := h.front.values[key]
	if v.none() {
		return nil, nil
	}
	if v.node.Kind != yaml.SequenceNode {
		return nil, parseError(v.line, "write a list of texts", "%s is not a list", key)
	}
	var out []string
	for _, n := range v.node.Content {
		if !isText(n) {
			return nil, parseError(n.Line+1, "put it between quotes", "an entry of %s is not text", key)
		}
		out = append(out, itemText(n))
	}
	return out, nil
}
