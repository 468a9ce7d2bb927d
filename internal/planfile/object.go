package planfile

import "ralph/internal/plan"

// Schema names the format that holds all that a plan can say.
const Schema = "ralph.plan/v1"

// PlanObject is a plan as JSON: what plan show --json prints, and what can be
// run as it is.
type PlanObject struct {
	Schema string `json:"schema"`
	// File and Format say where it was read.
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
	LastReview  string          `json:"last_review,omitempty"`

	Tasks []TaskObject `json:"tasks"`
	// Counts, Levels and Warnings are computed: what could run in the first turn,
	// the second, …; what was not taken as people may have meant it.
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
	SubPlan  string        `json:"plan,omitempty"`
	Phase    int           `json:"phase,omitempty"`
	Priority int           `json:"priority,omitempty"`
	Attempts int           `json:"attempts,omitempty"`
	Output   string        `json:"output,omitempty"`
	Error    string        `json:"error,omitempty"`
	Commands []string      `json:"commands,omitempty"`
	Files    []string      `json:"files,omitempty"`
	Group    string        `json:"group,omitempty"`
	Labels   []string      `json:"labels,omitempty"`
	Refs     []string      `json:"refs,omitempty"`
	Optional bool          `json:"optional,omitempty"`
	// Line of the file where the task begins, from 1.
	Line int `json:"line,omitempty"`
}

// NeedObject is one dependency, and where it comes from.
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

// Counts are the numbers of tasks: all of them, those that are over, and those
// that are left.
type Counts struct {
	Tasks int `json:"tasks"`
	Done  int `json:"done"`
	Open  int `json:"open"`
}

// AsObject is a plan as JSON has it.
func AsObject(p plan.Plan) PlanObject {
	o := PlanObject{
		Schema: Schema, Title: p.Title, Status: p.Status, Sectioned: p.Sectioned, Constraints: p.Constraints,
		Context: p.Context, Commands: p.Commands, Gaps: p.Gaps, EdgeCases: p.EdgeCases, LastReview: p.LastReview,
		Tasks: make([]TaskObject, len(p.Tasks)),
	}
	for i, t := range p.Tasks {
		o.Tasks[i] = taskObject(t)
	}
	return o
}

func taskObject(t plan.Task) TaskObject {
	o := TaskObject{
		ID: t.ID, Title: t.Title, Text: t.Text, Status: t.Status, Criteria: t.Criteria, Agent: t.Agent, Kind: t.Kind,
		SubPlan: t.SubPlan, Phase: t.Phase, Priority: t.Priority, Attempts: t.Attempts, Output: t.Output,
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
