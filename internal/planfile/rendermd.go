package planfile

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// page builds Markdown.
type page struct{ strings.Builder }

func (b *page) line(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

// text writes an indented paragraph after a blank line.
func (b *page) text(space, s string) {
	if strings.TrimSpace(s) == "" {
		return
	}
	b.WriteByte('\n')
	b.body(space, s)
}

func (b *page) body(space, s string) {
	for l := range strings.Lines(s) {
		if l = strings.TrimRight(l, "\r\n"); l != "" {
			l = space + l
		}
		b.line("%s", l)
	}
}

func tickOfStatus(s plan.Status) string {
	if s == plan.Done {
		return "x"
	}
	return " "
}

// oneLine returns text for a heading or a box.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (b *page) title(p plan.Plan) {
	if p.Title != "" {
		b.line("# %s", oneLine(p.Title))
	}
	b.text("", p.Constraints)
}

func renderSections(p plan.Plan) string {
	var b page
	status := p.Status
	if status == "" {
		status = plan.PlanPending
	}
	b.line("---\nstatus: %s", status)
	b.list(gapsKey, quotedAll(p.Gaps))
	b.list(edgeCasesKey, quotedAll(p.EdgeCases))
	if p.GapRounds != nil {
		b.line("%s: %d", gapRoundsKey, *p.GapRounds)
	}
	var units []string
	for _, t := range p.Tasks {
		if readyAsPending(t.Status) != plan.Pending {
			units = append(units, "section: "+quoted(oneLine(t.Title))+"\n    status: "+unitWord(t.Status))
		}
	}
	b.list("progress", units)
	review := p.LastReview
	if review == "" {
		review = "null"
	}
	b.line("last_review: %s\n---\n", review)
	p.Constraints = demoted(p.Constraints, 3)
	b.title(p)
	for _, t := range p.Tasks {
		b.line("\n## %s", oneLine(t.Title))
		b.labels(t, false)
		b.text("", demoted(t.Text, 3))
		b.boxes(t)
	}
	return b.String()
}

func (b *page) list(key string, items []string) {
	if len(items) == 0 {
		b.line("%s: []", key)
		return
	}
	b.line("%s:", key)
	for _, item := range items {
		b.line("  - %s", item)
	}
}

func quotedAll(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = quoted(s)
	}
	return out
}

// boxes writes the criteria that the text of a section lacks.
func (b *page) boxes(t plan.Task) {
	if fresh := missingFrom(t.Criteria, t.Text); len(fresh) > 0 {
		b.line("")
		for _, c := range fresh {
			b.line("- [%s] %s", tickOfStatus(t.Status), oneLine(c))
		}
	}
}

// missingFrom returns the entries that a text does not contain.
func missingFrom(all []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.Contains(text, s) })
}

// labels writes the fields that Markdown has no other place for, unless the text
// has them.
func (b *page) labels(t plan.Task, criteria bool) {
	var own plan.Task
	takeLabels(&own, scan(t.Text, 0))
	var lines []string
	add := func(yes bool, name, value string) {
		if yes && value != "" {
			lines = append(lines, "**"+name+":** "+value)
		}
	}
	add(own.Agent == "", "Agent", t.Agent)
	add(own.Kind == "", "Kind", string(t.Kind))
	add(own.Proof == "", "Proof", string(t.Proof))
	add(len(own.MayChange) == 0, "May change", globSpans(t.MayChange))
	add(len(own.RunsOn) == 0, "Runs on", strings.Join(t.RunsOn, ", "))
	add(own.SubPlan == "", "Plan", code(t.SubPlan))
	add(own.Output == "", "Output", code(t.Output))
	add(own.Phase == 0 && t.Phase != 0, "Phase", fmt.Sprint(t.Phase))
	for _, c := range missingFrom(t.Commands, t.Text) {
		add(true, "Verify", code(c))
	}
	if len(lines) > 0 {
		b.line("\n%s", strings.Join(lines, "\n"))
	}
	if fresh := missingFrom(t.Criteria, t.Text); criteria && len(fresh) > 0 {
		b.line("\n**Acceptance Criteria:**")
		for _, c := range fresh {
			b.line("- %s", oneLine(c))
		}
	}
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(oneLine(s), "`", "'") + "`"
}

// renderTasks numbers the tasks from 1; the text of a task keeps its boxes.
func renderTasks(p plan.Plan) string {
	var b page
	b.title(p)
	if len(p.Commands) > 0 {
		b.line("\n## Validation Commands\n")
		for _, c := range p.Commands {
			b.line("- %s", code(c))
		}
		b.line("\n## Tasks")
	}
	number := map[string]int{}
	for i, t := range p.Tasks {
		number[t.ID] = i + 1
		b.line("\n### Task %d: %s", i+1, oneLine(t.Title))
		b.needs(t, i, number)
		b.files(t)
		text := demoted(withoutDependencies(t.Text), 4)
		t.Text = text
		b.labels(t, true)
		b.text("", text)
		b.steps(t)
	}
	return b.String()
}

// demoted lowers headings above a level to it, so that they end no section.
func demoted(text string, level int) string {
	var b strings.Builder
	for _, l := range scan(text, 0) {
		if l.heading > 0 && l.heading < level {
			b.WriteString(strings.Repeat("#", level-l.heading))
		}
		b.WriteString(l.raw + "\n")
	}
	return strings.Trim(b.String(), "\n")
}

// needs writes the line about dependencies, unless the order implies it.
func (b *page) needs(t plan.Task, i int, number map[string]int) {
	var all []string
	for _, n := range t.Needs {
		all = append(all, fmt.Sprintf("Task %d", number[n.On]))
	}
	switch {
	case len(all) == 1 && number[t.Needs[0].On] == i, len(all) == 0 && i == 0:
	case len(all) == 0:
		b.line("\n**Dependencies:** None")
	default:
		b.line("\n**Dependencies:** %s", strings.Join(all, ", "))
	}
}

// withoutDependencies removes that line: the numbers change.
func withoutDependencies(text string) string {
	var out strings.Builder
	for l := range strings.Lines(text) {
		if m := label.FindStringSubmatch(strings.TrimRight(l, "\r\n")); m != nil && (strings.EqualFold(m[1], "dependencies") || strings.EqualFold(m[1], "depends on")) {
			continue
		}
		out.WriteString(l)
	}
	return strings.Trim(out.String(), "\n")
}

func (b *page) files(t plan.Task) {
	if fresh := missingFrom(t.Files, t.Text); len(fresh) > 0 {
		b.line("\n**Files:**")
		for _, f := range fresh {
			b.line("- Modify: %s", code(f))
		}
	}
}

// steps writes the boxes that make a task done: its todos, or one with its title.
// Boxes of the text serve as steps.
func (b *page) steps(t plan.Task) {
	if len(boxes(scan(t.Text, 0))) > 0 {
		return
	}
	b.line("")
	for _, d := range t.Todos {
		mark := tickOfStatus(t.Status)
		if d.Status == plan.TodoCompleted {
			mark = "x"
		}
		b.line("- [%s] %s", mark, oneLine(d.Text))
	}
	if len(t.Todos) == 0 {
		b.line("- [%s] %s", tickOfStatus(t.Status), oneLine(t.Title))
	}
}
