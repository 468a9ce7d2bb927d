package plan

import (
	"strings"
	"unicode/utf8"

	"ralph/internal/loop"
)

// MaxTasks is how many tasks a plan may have. It bounds the memory of Graph,
// which keeps a bit for every pair of them.
const MaxTasks = 10_000

// Plan is a set of tasks in the order of its file.
type Plan struct {
	Title string
	Tasks []Task
	// Constraints are the file's instructions for the agent of every task: its
	// preamble and its global constraints, verbatim.
	Constraints string
	// Context are the files that the plan names for every task to read.
	Context []string
	// Commands are the checks that the file names for the whole plan, each a
	// line for sh -c. They are proposals: they run only after a person has
	// accepted them.
	Commands []string

	// Sectioned: the units are the sections of a document (seed 003); a chunk of
	// work on one is reviewed before the next begins.
	Sectioned bool
	// Status of the whole plan, where the file keeps one.
	Status PlanStatus
	// Gaps and EdgeCases were found by reviews and are not resolved (seed 003).
	Gaps, EdgeCases []string
	// GapRounds is how often open gaps become tasks; nil: the settings' number.
	GapRounds *int
	// LastReview is when a review looked at the plan, as the file writes it.
	LastReview string
}

// PlanStatus is the progress of a plan, as named by seed 003; empty is unknown.
type PlanStatus string

// The statuses of a plan.
const (
	PlanPending    PlanStatus = "pending"
	PlanInProgress PlanStatus = "in_progress"
	PlanComplete   PlanStatus = "complete"
	PlanArchived   PlanStatus = "archived"
)

// Task is one unit of work.
type Task struct {
	// ID is unique in the plan.
	ID    string
	Title string
	// Text is the instruction, verbatim; it may be empty.
	Text string
	// Criteria are the acceptance criteria, one sentence each.
	Criteria []string
	// Todos are the steps that the file lists for the task.
	Todos []Todo
	// Agent is the name of the agent that the file asks for; it need not be
	// configured.
	Agent string
	// Kind is one of TaskKinds; empty is code.
	Kind TaskKind
	// Proof is asked of the task's verdict; empty is that of the run. MayChange are
	// path globs of judge files that the task may change.
	Proof     loop.ProofPolicy
	MayChange []string
	// RunsOn are the labels that a worker of a team must have for the task.
	RunsOn []string
	// SubPlan is the path of a plan file that is run in place of the task.
	SubPlan string
	// Commands are the checks that the file names for this task alone, each a
	// line for sh -c: proposals, as those of the plan.
	Commands []string
	// Group is the heading, story or parent that the task stands under; Labels
	// are the file's marks on it.
	Group  string
	Labels []string
	// Refs are the references of the task to documents beside the plan.
	Refs []string
	// Optional: the file declares that the plan is done without it.
	Optional bool
	// Output is the path of the task's product, named by the file.
	Output string

	Needs []Need
	// Phase and Priority order tasks that could run: the lower one first. They
	// are no dependencies.
	Phase, Priority int
	// Attempts is the number of tries that the file records for the task.
	Attempts int
	Status   Status

	// Files are the paths that the task declares.
	Files []string
	// Line of the file where the task begins, from 1; 0 is unknown.
	Line int
}

// TaskKind is what a task is for, or the kind of its product.
type TaskKind string

// Todo is one step of a task.
type Todo struct {
	// ID is empty where the format has none; the text names the step then.
	ID, Text string
	Status   TodoStatus
	// Agent is to do it, Criteria verify it (seed 002).
	Agent    string
	Criteria []string
}

// TodoStatus is the status of a step, as named by seed 002.
type TodoStatus string

// The statuses of a step.
const (
	TodoPending    TodoStatus = "pending"
	TodoInProgress TodoStatus = "in_progress"
	TodoCompleted  TodoStatus = "completed"
)

// Need is one dependency: the task On must be done first.
type Need struct {
	On  string
	Why Why
}

// Why is the source of a dependency.
type Why string

// The origins of a dependency. Where a format has no word for "at the same
// time", order is a dependency.
const (
	Stated   Why = "stated"
	Order    Why = "order"    // of the file
	Priority Why = "priority" // a number per task that means an order
	Barrier  Why = "phase"    // a phase that begins after another one has ended
	Parent   Why = "parent"   // a part of it, or what the parent waits for
)

// Status of a task, as named by seed 002.
type Status string

// The statuses. Skipped is ours: the plan marks the task as not to be done.
const (
	Pending Status = "pending"
	Ready   Status = "ready"
	Running Status = "running"
	Done    Status = "done"
	Failed  Status = "failed"
	Blocked Status = "blocked"
	Skipped Status = "skipped"
)

// Open reports whether a task of this status still has work.
func (s Status) Open() bool { return s != Done && s != Skipped }

// Open returns the rest of the plan: tasks that are not done, with those that
// they still wait for. A task that followed a done task by the order of the
// file now follows that task's predecessor (see Graph.clear).
func (p Plan) Open() Plan {
	all := make(map[string]Task, len(p.Tasks))
	for _, t := range p.Tasks {
		all[t.ID] = t
	}
	left := p
	left.Tasks = nil
	for _, t := range p.Tasks {
		if t.Status.Open() {
			t.Needs = stillNeeds(t, all)
			left.Tasks = append(left.Tasks, t)
		}
	}
	return left
}

func stillNeeds(t Task, all map[string]Task) []Need {
	var out []Need
	seen := map[string]bool{t.ID: true}
	for behind := t.Needs; len(behind) > 0; behind = behind[1:] {
		n := behind[0]
		on, known := all[n.On]
		switch {
		case seen[n.On]:
		case !known || on.Status.Open():
			out = append(out, n)
		case n.Why != Stated:
			for _, further := range on.Needs {
				behind = append(behind, Need{On: further.On, Why: n.Why})
			}
		}
		seen[n.On] = true
	}
	return out
}

// largeText is the length of a task's text that makes it a large one, in
// characters (seed 002).
const largeText = 200

// Large reports whether a task is to be done by a list of steps (seed 002): its text
// is long, or it implements or creates something.
func (t Task) Large() bool {
	title := strings.ToLower(t.Title)
	return utf8.RuneCountInString(t.Text) > largeText || strings.Contains(title, "implement") || strings.Contains(title, "create")
}
