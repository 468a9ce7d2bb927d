package plan

// MaxTasks is how many tasks a plan may have. It bounds the memory of Graph,
// which keeps a bit for every pair of them.
const MaxTasks = 10_000

// Plan is a set of tasks in the order of its file.
type Plan struct {
	Title string
	Tasks []Task
	// Commands are the checks that the file names for the whole plan, each a
	// line for sh -c. They are proposals: nothing of a plan runs before a
	// person has accepted it.
	Commands []string
}

// Task is one unit of work.
type Task struct {
	// ID is unique in the plan.
	ID    string
	Title string
	// Text is what is to be done, verbatim; it may be empty.
	Text string
	// Criteria are the acceptance criteria, one sentence each.
	Criteria []string
	// Agent is the name that the file gives to who shall work; it need not be
	// configured.
	Agent string

	Needs []Need
	// Phase and Priority order tasks that could run: the lower one first. They
	// are no dependencies (design §7).
	Phase, Priority int
	// Attempts is how often the file says the task was tried.
	Attempts int
	Status   Status

	// Files are paths that the task says it touches.
	Files []string
	// Line of the file where the task begins, from 1; 0 is unknown.
	Line int
}

// Need is one dependency: the task On must be done first.
type Need struct {
	On  string
	Why Why
}

// Why says where a dependency comes from.
type Why string

// The origins of a dependency. Where a format has no word for "at the same
// time", order is a dependency.
const (
	Stated   Why = "stated"
	Order    Why = "order"    // of the file
	Priority Why = "priority" // a number per task that means an order
)

// Status of a task, in the words of seed 002.
type Status string

// The statuses. Skipped is ours: the plan says that the task is not to be done.
const (
	Pending Status = "pending"
	Ready   Status = "ready"
	Running Status = "running"
	Done    Status = "done"
	Failed  Status = "failed"
	Blocked Status = "blocked"
	Skipped Status = "skipped"
)

// Open says whether there is still work in a task of this status.
func (s Status) Open() bool { return s != Done && s != Skipped }

// Open is what is left of the plan: tasks that are not done, with what they
// still wait for.
func (p Plan) Open() Plan {
	over := map[string]bool{}
	for _, t := range p.Tasks {
		over[t.ID] = !t.Status.Open()
	}
	left := p
	left.Tasks = nil
	for _, t := range p.Tasks {
		if over[t.ID] {
			continue
		}
		needs := t.Needs
		t.Needs = nil
		for _, n := range needs {
			if !over[n.On] {
				t.Needs = append(t.Needs, n)
			}
		}
		left.Tasks = append(left.Tasks, t)
	}
	return left
}
