package planfile

import (
	"slices"

	"ralph/internal/plan"
)

// wanted is a merged series of changes: at most one change per key.
type wanted struct {
	tasks     map[int]Change
	ticks     []tickOf
	todos     map[int][]Change
	plan      plan.PlanStatus
	gaps      texts
	edgeCases texts
	review    *Change
	left      []Left
}

// tickOf is a step to tick.
type tickOf struct {
	task   int
	change Change
}

// fold merges a series of changes to the plan of the file; the last change to a
// key wins.
func fold(p plan.Plan, changes []Change) wanted {
	f := folder{p: p, number: make(map[string]int, len(p.Tasks)), w: wanted{tasks: map[int]Change{}, todos: map[int][]Change{}}}
	for i, t := range p.Tasks {
		f.number[t.ID] = i
	}
	f.gaps, f.edgeCases = slices.Clone(p.Gaps), slices.Clone(p.EdgeCases)
	status := p.Status
	for _, c := range changes {
		switch c.Kind {
		case SetTask:
			f.task(c)
		case Tick, AddTodo:
			f.step(c)
		case SetPlan:
			if status = f.planStatus(status, c); status != p.Status {
				f.w.plan = status
			}
		case AddGap, RemoveGap:
			f.gaps = listed(f.gaps, c.Text, c.Kind == AddGap)
		case AddEdgeCase, RemoveEdgeCase:
			f.edgeCases = listed(f.edgeCases, c.Text, c.Kind == AddEdgeCase)
		case Reviewed:
			f.w.review = &c
		default:
			f.leave(c, NoPlace)
		}
	}
	f.w.gaps, f.w.edgeCases = difference(p.Gaps, f.gaps), difference(p.EdgeCases, f.edgeCases)
	return f.w
}

type folder struct {
	p               plan.Plan
	number          map[string]int
	w               wanted
	gaps, edgeCases []string
}

func (f *folder) leave(c Change, why Why) { f.w.left = append(f.w.left, left(c, why)) }

// task merges a change to a task. A task that is closed in the file stays
// closed, unless a user asked for it again.
func (f *folder) task(c Change) {
	i, ok := f.number[c.Task]
	if !ok {
		f.leave(c, NoSuchTask)
		return
	}
	was, wanted := f.w.tasks[i]
	if !wanted {
		was = Change{Kind: SetTask, Task: c.Task}
	}
	now := was.Status
	if now == "" {
		now = f.p.Tasks[i].Status
	}
	if c.Status != "" && c.Status != now && f.over(i, now) && !c.Again {
		f.leave(Change{Kind: SetTask, Task: c.Task, Status: c.Status}, Backwards)
		c.Status = ""
	}
	f.w.tasks[i] = merged(was, c)
}

// over reports whether a task is closed. One that is skipped because it is
// optional may still be done.
func (f *folder) over(i int, s plan.Status) bool {
	return !s.Open() && (s != plan.Skipped || !f.p.Tasks[i].Optional)
}

// merged returns b with the fields that only a sets.
func merged(a, b Change) Change {
	if b.Status != "" {
		a.Status, a.Error, a.At = b.Status, "", b.At
	}
	if b.Attempts != 0 {
		a.Attempts = b.Attempts
	}
	if b.Output != "" {
		a.Output = b.Output
	}
	if b.Error != "" {
		a.Error = b.Error
	}
	a.Again = a.Again || b.Again
	return a
}

// step ticks a step of a task, or adds one that it does not have.
func (f *folder) step(c Change) {
	i, ok := f.number[c.Task]
	if !ok {
		f.leave(c, NoSuchTask)
		return
	}
	if c.Kind == Tick {
		f.w.ticks = append(f.w.ticks, tickOf{i, c})
		return
	}
	same := func(t plan.Todo) bool { return t.Text == c.Text }
	again := func(other Change) bool { return other.Text == c.Text }
	if !slices.ContainsFunc(f.p.Tasks[i].Todos, same) && !slices.ContainsFunc(f.w.todos[i], again) {
		f.w.todos[i] = append(f.w.todos[i], c)
	}
}

// planStatus returns the status after a change; an archived plan stays archived.
func (f *folder) planStatus(now plan.PlanStatus, c Change) plan.PlanStatus {
	if now == plan.PlanArchived && c.Plan != now && !c.Again {
		f.leave(c, Backwards)
		return now
	}
	return c.Plan
}

// listed adds a text to a list, or removes it.
func listed(all []string, text string, in bool) []string {
	switch at := slices.Index(all, text); {
	case in && at < 0:
		return append(all, text)
	case !in && at >= 0:
		return slices.DeleteFunc(all, func(s string) bool { return s == text })
	}
	return all
}

// difference returns the changes from one list to the other. An entry that was
// removed and added again keeps its place.
func difference(was, now []string) texts {
	var t texts
	before, after := setOf(was), setOf(now)
	for i, s := range was {
		if after[s] {
			t.whole = append(t.whole, s)
		} else {
			t.gone = append(t.gone, i)
		}
	}
	t.left = len(was) - len(t.gone)
	for _, s := range now {
		if !before[s] {
			t.added = append(t.added, s)
		}
	}
	t.whole = append(t.whole, t.added...)
	return t
}

func setOf(all []string) map[string]bool {
	set := make(map[string]bool, len(all))
	for _, s := range all {
		set[s] = true
	}
	return set
}
