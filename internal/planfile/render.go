package planfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
)

// Lost is something that a format cannot express. Task is the id in the original
// plan, empty for the plan as a whole.
type Lost struct {
	Task string `json:"task,omitempty"`
	What string `json:"what"`
}

// Render writes a plan in a format. It reads the result again and reports every
// difference as lost. It refuses a plan whose text would be read as tasks.
func Render(p plan.Plan, as Format) ([]byte, []Lost, error) {
	write, ok := renderers()[as]
	if !ok {
		return nil, nil, fmt.Errorf("plans are not written as %q", as)
	}
	if ordered(as) {
		p = inDependencyOrder(p)
	}
	text := write(p)
	f, err := readAs("the result", text, as)
	if err != nil {
		return nil, nil, fmt.Errorf("write the plan as %s: %w", as, err)
	}
	if len(f.Plan.Tasks) != len(p.Tasks) {
		return nil, nil, fmt.Errorf("write the plan as %s: the text of a task would be read as tasks", as)
	}
	return []byte(text), lost(p, f.Plan), nil
}

// Rendered returns the formats that plans can be written in.
func Rendered() []Format {
	return slices.DeleteFunc(Formats(), func(f Format) bool { _, ok := renderers()[f]; return !ok })
}

func renderers() map[Format]func(plan.Plan) string {
	return map[Format]func(plan.Plan) string{
		Object: renderObject, PRD: renderPRD, Stories: renderStories, Features: renderFeatures, Taskmaster: renderTaskmaster,
		Sections: renderSections, Tasks: renderTasks, SpecKit: renderSpecKit, OpenSpec: renderOpenSpec, Kiro: renderKiro,
		Checklist: renderChecklist,
	}
}

// ordered reports whether the order of tasks in the file matters.
func ordered(f Format) bool {
	return !slices.Contains([]Format{Object, PRD, Stories}, f)
}

// inDependencyOrder sorts tasks after their dependencies and otherwise keeps the
// order of the file.
func inDependencyOrder(p plan.Plan) plan.Plan {
	g, err := p.Graph()
	if err != nil {
		return p
	}
	number := map[string]int{}
	for i, t := range p.Tasks {
		number[t.ID] = i
	}
	seen := make([]bool, g.Len())
	var out []plan.Task
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, n := range p.Tasks[i].Needs {
			visit(number[n.On])
		}
		out = append(out, p.Tasks[i])
	}
	for i := range p.Tasks {
		visit(i)
	}
	p.Tasks = out
	return p
}

func renderObject(p plan.Plan) string {
	o := AsObject(p)
	for i := range o.Tasks {
		o.Tasks[i].Line = 0
	}
	return indented(o)
}

func indented(v any) string {
	text, _ := json.MarshalIndent(v, "", "  ") // structs of texts and numbers
	var b strings.Builder
	b.Write(text)
	b.WriteByte('\n')
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(b.String())
}

// lost compares a plan with its rendered form. Ids may differ: tasks correspond by
// their order.
func lost(was, now plan.Plan) []Lost {
	l := lossReport{now: map[string]string{}}
	renamed := 0
	for i, t := range was.Tasks {
		l.now[t.ID] = now.Tasks[i].ID
		if t.ID != now.Tasks[i].ID {
			renamed++
		}
	}
	l.plan(was, now)
	if renamed > 0 {
		t := was.Tasks[slices.IndexFunc(was.Tasks, func(t plan.Task) bool { return l.now[t.ID] != t.ID })]
		l.add("", true, "the ids of %d tasks: %s is %s", renamed, t.ID, l.now[t.ID])
	}
	for i, t := range was.Tasks {
		l.task(t, now.Tasks[i])
	}
	return l.all
}

type lossReport struct {
	all []Lost
	// now maps the original ids to the rendered ones.
	now map[string]string
}

func (l *lossReport) add(task string, yes bool, format string, args ...any) {
	if yes {
		l.all = append(l.all, Lost{Task: task, What: fmt.Sprintf(format, args...)})
	}
}

func (l *lossReport) plan(was, now plan.Plan) {
	l.add("", was.Title != now.Title && was.Title != "", "the title")
	l.add("", was.Status != now.Status && was.Status != "", "the status %s of the plan", was.Status)
	l.add("", !within(now.Constraints, was.Constraints), "what the plan says about all tasks")
	l.add("", !slices.Equal(was.Context, now.Context) && len(was.Context) > 0, "the documents beside the plan")
	l.add("", !slices.Equal(was.Commands, now.Commands), "the commands that prove the plan")
	l.add("", !slices.Equal(was.Gaps, now.Gaps), "the gaps")
	l.add("", !slices.Equal(was.EdgeCases, now.EdgeCases), "the edge cases")
	l.add("", was.GapRounds != nil && now.GapRounds == nil, "the rounds of work on gaps")
	l.add("", was.LastReview != now.LastReview && was.LastReview != "", "the time of the last review")
	l.add("", was.Sectioned && !now.Sectioned, "that the units are sections")
}

func (l *lossReport) task(was, now plan.Task) {
	id := was.ID
	l.add(id, was.Title != now.Title, "the title: it is %s", quote(now.Title))
	all := append([]string{now.Text}, now.Criteria...)
	for _, d := range now.Todos {
		all = append(all, d.Text)
	}
	l.add(id, !within(strings.Join(all, "\n"), was.Text), "the text")
	l.add(id, readyAsPending(was.Status) != readyAsPending(now.Status), "the status %s: it is %s", was.Status, now.Status)
	l.needs(was, now)
	l.add(id, missing(was.Criteria, now.Criteria), "acceptance criteria")
	l.add(id, len(was.Todos) != len(now.Todos) && len(was.Todos) > 0, "steps")
	l.add(id, was.Agent != now.Agent && was.Agent != "", "the agent %s", was.Agent)
	l.add(id, was.Kind != now.Kind && was.Kind != "", "the kind %s", was.Kind)
	l.add(id, was.Proof != now.Proof && was.Proof != "", "the proof %s", was.Proof)
	l.add(id, missing(was.MayChange, now.MayChange), "the judge files that it may change")
	l.add(id, missing(was.RunsOn, now.RunsOn), "the labels that it runs on")
	l.add(id, was.SubPlan != now.SubPlan && was.SubPlan != "", "the plan %s", was.SubPlan)
	l.add(id, missing(was.Commands, now.Commands), "commands")
	l.add(id, missing(was.Files, now.Files), "files")
	l.add(id, was.Group != now.Group && was.Group != "", "the group")
	l.add(id, missing(was.Labels, now.Labels), "labels")
	l.add(id, missing(was.Refs, now.Refs), "references")
	l.add(id, was.Phase != now.Phase && was.Phase != 0, "the phase")
	l.add(id, was.Priority != now.Priority && was.Priority != 0, "the priority")
	l.add(id, was.Attempts != now.Attempts, "the attempts")
	l.add(id, was.Output != now.Output && was.Output != "", "the output")
	l.add(id, was.Optional && !now.Optional, "that it is optional")
}

// needs reports dropped and added dependencies.
func (l *lossReport) needs(was, now plan.Task) {
	before, after := map[string]bool{}, map[string]bool{}
	var gone, come []string
	for _, n := range was.Needs {
		before[l.now[n.On]] = true
	}
	for _, n := range now.Needs {
		after[n.On] = true
		if !before[n.On] {
			come = append(come, n.On)
		}
	}
	for _, n := range was.Needs {
		if !after[l.now[n.On]] {
			gone = append(gone, n.On)
		}
	}
	l.add(was.ID, len(gone) > 0, "that it waits for %s itself", strings.Join(gone, ", "))
	l.add(was.ID, len(come) > 0, "that it need not wait: it waits for %s", strings.Join(come, ", "))
}

// readyAsPending returns a status with ready as pending: formats need not distinguish
// them.
func readyAsPending(s plan.Status) plan.Status {
	if s == plan.Ready {
		return plan.Pending
	}
	return s
}

var listMark = lazyregexp.New(`^(?:#+|(?:[-*+]|\d{1,9}[.)])?\s*(?:\[.\])?)\s*`)

// within reports whether all lines of a part are in a text, ignoring list marks.
func within(text, part string) bool {
	bare := func(l string) string { return strings.TrimSpace(listMark.ReplaceAllString(strings.TrimSpace(l), "")) }
	have := map[string]bool{}
	for l := range strings.Lines(text) {
		have[bare(l)] = true
	}
	for l := range strings.Lines(part) {
		if l = bare(l); l != "" && !have[l] {
			return false
		}
	}
	return true
}

func missing(was, now []string) bool {
	return slices.ContainsFunc(was, func(s string) bool { return !slices.Contains(now, s) })
}
