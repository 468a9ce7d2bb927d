package view

import (
	"fmt"
	"strings"

	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// PlanDocument is a plan for people, in 80 columns: its tasks in order, their
// dependencies and reasons, the commands, and the finished tasks. name is the
// file's.
func PlanDocument(name string, f planfile.File) string {
	var t document
	p := f.Plan
	if p.Title != "" {
		t.Line(0, p.Title)
	}
	t.Line(0, planHeading(name, f))
	t.standing(p)
	t.turns(p)
	t.over(p)
	t.list("GAPS", p.Gaps)
	t.list("EDGE CASES", p.EdgeCases)
	t.list("COMMANDS IT PROPOSES (none runs before you accept it)", p.Commands)
	t.warnings(f.Warnings)
	return t.String()
}

func planHeading(name string, f planfile.File) string {
	c := PlanCounts(f.Plan)
	s := fmt.Sprintf("%s: %s, %s", name, f.Format, text.Plural(c.Tasks, "task"))
	if c.Done > 0 {
		s += fmt.Sprintf(", %d over", c.Done)
	}
	return s + fmt.Sprintf(", %d left", c.Open)
}

// PlanCounts are the numbers of a plan's tasks.
func PlanCounts(p plan.Plan) planfile.Counts {
	c := planfile.Counts{Tasks: len(p.Tasks)}
	for _, t := range p.Tasks {
		if t.Status.Open() {
			c.Open++
		} else {
			c.Done++
		}
	}
	return c
}

// standing writes what the file holds about the whole plan.
func (t *document) standing(p plan.Plan) {
	var parts []string
	if p.Status != "" {
		parts = append(parts, "status "+string(p.Status))
	}
	if p.LastReview != "" {
		parts = append(parts, "last review "+p.LastReview)
	}
	if len(parts) > 0 {
		t.Line(0, strings.Join(parts, " · "))
	}
}

// PlanLevels are the open tasks by the turn in which each could run.
func PlanLevels(p plan.Plan) [][]string {
	open := p.Open()
	if len(open.Tasks) == 0 {
		return nil
	}
	g, err := open.Graph()
	if err != nil {
		return nil
	}
	return g.Levels()
}

func (t *document) turns(p plan.Plan) {
	levels := PlanLevels(p)
	if len(levels) == 0 {
		return
	}
	t.Head("ORDER")
	byID := map[string]plan.Task{}
	for _, task := range p.Tasks {
		byID[task.ID] = task
	}
	open := map[string]plan.Task{}
	for _, task := range p.Open().Tasks {
		open[task.ID] = task
	}
	for i, level := range levels {
		for k, id := range level {
			turn := ""
			if k == 0 {
				turn = fmt.Sprint(i + 1)
			}
			t.task(turn, byID[id], open[id].Needs)
		}
	}
}

// task is one that is left: waits are those of its dependencies that are not
// over.
func (t *document) task(turn string, task plan.Task, waits []plan.Need) {
	fmt.Fprintf(t, "%3s  %s ", turn, markOfTask(task.Status))
	t.Line(7, taskLabel(task))
	if len(task.ID) > longID {
		t.under("id " + task.ID)
	}
	if len(waits) > 0 {
		t.under("after " + needsList(waits))
	}
	if about := aboutTask(task); about != "" {
		t.under(about)
	}
	for _, c := range task.Commands {
		t.under("proposes: " + c)
	}
	if len(task.Files) > 0 {
		t.under("files: " + strings.Join(task.Files, ", "))
	}
}

// longID is the length from which on an id stands in a line of its own: it was
// made of the title then.
const longID = 20

// taskLabel returns the id and the title.
func taskLabel(task plan.Task) string {
	if len(task.ID) > longID {
		return task.Title
	}
	return task.ID + ": " + task.Title
}

func needsList(all []plan.Need) string {
	var out []string
	for i, n := range all {
		s := n.On
		if i+1 == len(all) || all[i+1].Why != n.Why {
			s += " (" + string(n.Why) + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// aboutTask lists the settings of a task beside its text.
func aboutTask(t plan.Task) string {
	var out []string
	add := func(yes bool, format string, args ...any) {
		if yes {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	done := 0
	for _, d := range t.Todos {
		if d.Status == plan.TodoCompleted {
			done++
		}
	}
	add(t.Status != plan.Pending, "%s", t.Status)
	add(t.Attempts > 0, "%s", text.Plural(t.Attempts, "attempt"))
	add(t.Agent != "", "agent %s", t.Agent)
	add(t.Exemption() != "", "%s", t.Exemption())
	add(len(t.RunsOn) > 0, "runs on %s", strings.Join(t.RunsOn, ", "))
	add(t.SubPlan != "", "plan %s", t.SubPlan)
	add(len(t.Criteria) == 1, "1 criterion")
	add(len(t.Criteria) > 1, "%d criteria", len(t.Criteria))
	add(len(t.Todos) > 0, "%d of %s done", done, text.Plural(len(t.Todos), "step"))
	return strings.Join(out, " · ")
}

func (t *document) over(p plan.Plan) {
	first := true
	for _, task := range p.Tasks {
		if task.Status.Open() {
			continue
		}
		if first {
			t.Head("OVER")
			first = false
		}
		fmt.Fprintf(t, "     %s ", markOfTask(task.Status))
		t.Line(7, taskLabel(task))
		if task.Optional {
			t.under("optional")
		}
		if task.Output != "" {
			t.under("output " + task.Output)
		}
	}
}

func (t *document) list(title string, all []string) {
	if len(all) == 0 {
		return
	}
	t.Head(title)
	for _, s := range all {
		t.WriteString("  - ")
		t.Line(4, s)
	}
}

func (t *document) warnings(all []planfile.Warning) {
	if len(all) == 0 {
		return
	}
	t.Head("PERHAPS MEANT OTHERWISE")
	for _, w := range all {
		t.WriteString("  ")
		t.Line(2, fmt.Sprintf("line %d: %s", w.Line, w.Message))
	}
}

type document struct{ text.Page }

// under is a line below a task.
func (t *document) under(s string) {
	t.WriteString("         ")
	t.Line(9, s)
}

// markOfTask returns one sign for a status.
func markOfTask(s plan.Status) string {
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

// mostDocument lines of a document are shown with the question that it is about.
const mostDocument = 200

// document is the text that a question is about, line by line.
func (w *sheet) document(words string) {
	for _, l := range Document(words, w.p.width()) {
		w.whole(l)
	}
}

// Document is the text that a person is to approve, folded and set off from the
// question; at most 200 lines of it.
func Document(words string, width int) []string {
	if strings.TrimSpace(words) == "" {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimSpace(text.Clean(words)), "\n") {
		for _, l := range foldedOrBlank(line, width-4) {
			out = append(out, strings.TrimRight("  | "+l, " "))
		}
	}
	if n := len(out) - mostDocument; n > 0 {
		out = append(out[:mostDocument], fmt.Sprintf("  | … and %d more lines", n))
	}
	return out
}

// foldedOrBlank folds a line, each part as far in as its beginning; an empty one stays one.
func foldedOrBlank(line string, width int) []string {
	line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " ")
	if line == "" {
		return []string{""}
	}
	lead := line[:min(len(line)-len(strings.TrimLeft(line, " ")), width/2)]
	out := text.WrapWords(line, width-len(lead))
	for i := range out {
		out[i] = lead + out[i]
	}
	return out
}
