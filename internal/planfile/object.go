package planfile

import (
	"slices"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Schema names the format that expresses everything a plan has.
const Schema = "ralph.plan/v1"

// PlanObject is a plan as JSON: plan show --json prints it, and it can be run.
type PlanObject struct {
	Schema string `json:"schema"`
	// File and Format name the source.
	File   string `json:"file,omitempty"`
	Format Format `json:"format,omitempty"`

	Title       string          `json:"title,omitempty"`
	Status      plan.PlanStatus `json:"status,omitempty"`
	Sectioned   bool            `json:"sectioned,omitempty"`
	Constraints string          `json:"constraints,omitempty"`
	Context     []string        `json:"context,omitempty"`
	Commands    []string        `json:"commands,omitempty"`
	Gaps        []string        `json:"gaps,omitempty"`
	EdgeCases   []string        `json:"edge_cases,omitempty"`
	GapRounds   *int            `json:"gap_rounds,omitempty"`
	LastReview  string          `json:"last_review,omitempty"`

	Tasks []TaskObject `json:"tasks"`
	// Counts, Levels and Warnings are computed. Levels are the tasks that could run
	// first, second, …
	Counts   *Counts    `json:"counts,omitempty"`
	Levels   [][]string `json:"levels,omitempty"`
	Warnings []Warning  `json:"warnings,omitempty"`
}

// TaskObject is one task.
type TaskObject struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Text     string        `json:"text,omitempty"`
	Status   plan.Status   `json:"status"`
	Needs    []NeedObject  `json:"needs,omitempty"`
	Criteria []string      `json:"criteria,omitempty"`
	Todos    []TodoObject  `json:"todos,omitempty"`
	Agent    string        `json:"agent,omitempty"`
	Kind     plan.TaskKind `json:"kind,omitempty"`
	// Proof and MayChange are what the verdict needs, and the judge files that the
	// task may change.
	Proof     loop.ProofPolicy `json:"proof,omitempty"`
	MayChange []string         `json:"may_change,omitempty"`
	// RunsOn are the labels that a worker of a team must have for the task.
	RunsOn   []string `json:"runs_on,omitempty"`
	SubPlan  string   `json:"plan,omitempty"`
	Phase    int      `json:"phase,omitempty"`
	Priority int      `json:"priority,omitempty"`
	Attempts int      `json:"attempts,omitempty"`
	Output   string   `json:"output,omitempty"`
	Error    string   `json:"error,omitempty"`
	Commands []string `json:"commands,omitempty"`
	Files    []string `json:"files,omitempty"`
	Group    string   `json:"group,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Refs     []string `json:"refs,omitempty"`
	Optional bool     `json:"optional,omitempty"`
	// Line of the file where the task begins, from 1.
	Line int `json:"line,omitempty"`
}

// NeedObject is one dependency and its origin.
type NeedObject struct {
	On  string   `json:"on"`
	Why plan.Why `json:"why"`
}

// TodoObject is one step of a task.
type TodoObject struct {
	ID       string          `json:"id,omitempty"`
	Text     string          `json:"text"`
	Status   plan.TodoStatus `json:"status"`
	Agent    string          `json:"agent,omitempty"`
	Criteria []string        `json:"criteria,omitempty"`
}

// Counts are the numbers of tasks: all, closed, open.
type Counts struct {
	Tasks int `json:"tasks"`
	Done  int `json:"done"`
	Open  int `json:"open"`
}

// AsObject converts a plan to its JSON form.
func AsObject(p plan.Plan) PlanObject {
	o := PlanObject{
		Schema: Schema, Title: p.Title, Status: p.Status, Sectioned: p.Sectioned, Constraints: p.Constraints,
		Context: p.Context, Commands: p.Commands, Gaps: p.Gaps, EdgeCases: p.EdgeCases, GapRounds: p.GapRounds, LastReview: p.LastReview,
		Tasks: make([]TaskObject, len(p.Tasks)),
	}
	for i, t := range p.Tasks {
		o.Tasks[i] = taskObject(t)
	}
	return o
}

func taskObject(t plan.Task) TaskObject {
	o := TaskObject{
		ID: t.ID, Title: t.Title, Text: t.Text, Status: t.Status, Criteria: t.Criteria, Agent: t.Agent,
		Kind: t.Kind, Proof: t.Proof, MayChange: t.MayChange, RunsOn: t.RunsOn, SubPlan: t.SubPlan, Phase: t.Phase, Priority: t.Priority, Attempts: t.Attempts, Output: t.Output,
		Commands: t.Commands, Files: t.Files, Group: t.Group, Labels: t.Labels, Refs: t.Refs, Optional: t.Optional, Line: t.Line,
	}
	for _, n := range t.Needs {
		o.Needs = append(o.Needs, NeedObject(n))
	}
	for _, d := range t.Todos {
		o.Todos = append(o.Todos, TodoObject(d))
	}
	return o
}

var objectNames = jsonNames{
	status:     func(s plan.Status) any { return s },
	statusName: "status", attempts: "attempts", output: "output", failure: "error",
	todos: "todos", todoContent: "text",
	planStatus: "status", gaps: "gaps", edgeCases: "edge_cases", lastReview: "last_review",
}

// readObject reads the output of plan show --json. A need may be a bare id.
func (r *reader) readObject() (File, error) {
	tasks, _ := r.top.get("tasks")
	if tasks.kind != list {
		return File{}, parseError(max(tasks.line, 1), "write a list", "tasks is not a list")
	}
	h := &jsonWriter{text: r.source, top: r.top, names: objectNames}
	f := File{Format: Object, writer: h}
	f.Plan = plan.Plan{
		Title: r.text(r.top, "title"), Constraints: r.text(r.top, "constraints"), Sectioned: r.yes(r.top, "sectioned"),
		Context: r.texts(r.top, "context"), Commands: r.texts(r.top, "commands"),
		Gaps: r.texts(r.top, "gaps"), EdgeCases: r.texts(r.top, "edge_cases"), LastReview: r.text(r.top, "last_review"),
	}
	if n, ok := r.number(r.top, gapRoundsKey); ok {
		f.Plan.GapRounds = &n
	}
	if s, ok := r.top.get("status"); ok {
		f.Plan.Status = r.planStatus(s)
	}
	for _, n := range tasks.items {
		if n.kind != object {
			r.fail(n, "write an object with id and title", "a task is not an object")
			continue
		}
		t := r.objectTask(n)
		for _, key := range n.fields {
			if !slices.Contains(taskKeys(), key.name) {
				f.warn(key.node.line, "task %s has %s, which is not read", t.ID, quote(key.name))
			}
		}
		f.Plan.Tasks = append(f.Plan.Tasks, t)
		h.tasks = append(h.tasks, n)
	}
	return f, r.err
}

// taskKeys are the fields of a task that are read, with common synonyms.
func taskKeys() []string {
	return []string{
		"id", "title", "text", "description", "status", "needs", "dependencies", "dependsOn", "depends_on",
		"criteria", "acceptanceCriteria", "todos", "agent", "kind", "proof", "may_change", "mayChange", "runs_on", "runsOn", "plan", "phase", "priority", "attempts",
		"output", "error", "commands", "files", "group", "labels", "refs", "optional", "line",
	}
}

func (r *reader) planStatus(n node) plan.PlanStatus {
	switch s := plan.PlanStatus(textOf(n)); s {
	case plan.PlanPending, plan.PlanInProgress, plan.PlanComplete, plan.PlanArchived:
		return s
	}
	r.fail(n, "write pending, in_progress, complete or archived", "unknown plan status")
	return ""
}

func (r *reader) objectTask(n node) plan.Task {
	t := plan.Task{
		Title: r.text(n, "title"), Text: r.text(n, "text", "description"), Status: r.prdStatus(n),
		Criteria: append(r.texts(n, "criteria"), r.texts(n, "acceptanceCriteria")...),
		Agent:    r.text(n, "agent"), SubPlan: r.text(n, "plan"),
		Output: r.text(n, "output"), Commands: r.texts(n, "commands"), Files: r.texts(n, "files"),
		Group: r.text(n, "group"), Labels: r.texts(n, "labels"), Refs: r.texts(n, "refs"), Optional: r.yes(n, "optional"),
		Line: n.line,
	}
	if id, ok := n.get("id"); ok {
		t.ID = r.id(id, "id")
	}
	t.Phase, _ = r.number(n, "phase")
	t.Priority, _ = r.number(n, "priority")
	t.Attempts, _ = r.number(n, "attempts")
	t.Needs, t.Todos = r.needs(n), r.steps(n)
	r.permission(n, &t)
	if t.Optional && t.Status == plan.Pending {
		t.Status = plan.Skipped // unless a user asks for it
	}
	return t
}

func (r *reader) needs(n node) []plan.Need {
	l, ok := n.get("needs")
	if ok && l.kind != list {
		r.fail(l, "write a list", "needs is not a list")
	}
	var out []plan.Need
	for _, on := range r.ids(n, "dependencies", "dependsOn", "depends_on") {
		out = append(out, plan.Need{On: on, Why: plan.Stated})
	}
	for _, item := range l.items {
		need := plan.Need{Why: plan.Stated}
		if item.kind == object {
			if why := r.text(item, "why"); why != "" {
				need.Why = plan.Why(why)
			}
			item, _ = item.get("on")
		}
		need.On = r.id(item, "an item of needs")
		out = append(out, need)
	}
	return out
}

func (r *reader) steps(n node) []plan.Todo {
	l, _ := n.get("todos")
	var out []plan.Todo
	for _, item := range l.items {
		if item.kind == object {
			out = append(out, plan.Todo{
				ID: textOf(item, "id"), Text: textOf(item, "text"), Status: todoStatus(textOf(item, "status")),
				Agent: textOf(item, "agent"), Criteria: r.texts(item, "criteria"),
			})
		}
	}
	return out
}
