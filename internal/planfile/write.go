package planfile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// Write makes changes in the text that was read. Only the bytes that they are
// about become others. What was made is read again before it is given back: a
// change that would make the file unreadable is not made, nor any other with it.
func (f File) Write(changes []Change) Written {
	w := fold(f.Plan, changes)
	e := &edits{}
	for _, i := range slices.Sorted(maps.Keys(w.tasks)) {
		c := w.tasks[i]
		if rest := f.hand.setTask(e, i, c); !rest.empty() {
			w.left = append(w.left, left(rest, NoPlace))
		}
	}
	f.writeSteps(e, &w)
	f.hand.settle(e, statuses{f.Plan.Tasks, w.tasks})
	f.writePlan(e, &w, changes)
	return f.finish(e, w, changes)
}

func (f File) writeSteps(e *edits, w *wanted) {
	for _, t := range w.ticks {
		if why := f.hand.tick(e, t.task, t.change); why != "" {
			w.left = append(w.left, left(t.change, why))
		}
	}
	for _, i := range slices.Sorted(maps.Keys(w.todos)) {
		if !f.hand.addTodos(e, i, w.todos[i]) {
			w.left = append(w.left, leftOf(w.todos[i], AddTodo)...)
		}
	}
}

// writePlan makes what concerns the plan as a whole.
func (f File) writePlan(e *edits, w *wanted, changes []Change) {
	if w.plan != "" && !f.hand.setPlan(e, w.plan) {
		w.left = append(w.left, left(Change{Kind: SetPlan, Plan: w.plan}, NoPlace))
	}
	if !w.gaps.none() && !f.hand.setTexts(e, gapsKey, w.gaps) {
		w.left = append(w.left, leftOf(changes, AddGap, RemoveGap)...)
	}
	if !w.edgeCases.none() && !f.hand.setTexts(e, edgeCasesKey, w.edgeCases) {
		w.left = append(w.left, leftOf(changes, AddEdgeCase, RemoveEdgeCase)...)
	}
	if w.review != nil && !f.hand.reviewed(e, *w.review) {
		w.left = append(w.left, left(*w.review, NoPlace))
	}
}

// leftOf leaves all changes of these kinds, for want of a place.
func leftOf(changes []Change, kinds ...ChangeKind) (out []Left) {
	for _, c := range changes {
		if slices.Contains(kinds, c.Kind) {
			out = append(out, left(c, NoPlace))
		}
	}
	return out
}

// finish applies the edits and reads the result.
func (f File) finish(e *edits, w wanted, changes []Change) Written {
	all := e.sorted(f.text)
	if len(all) == 0 {
		return Written{Data: f.Data(), File: f, Left: w.left}
	}
	after, err := readAs(f.name, apply(f.text, all), f.Format)
	if err != nil {
		return Written{Data: f.Data(), File: f, Left: leave(changes, Unsafe, err.Error())}
	}
	if what := w.differs(f.Plan, after.Plan); what != "" {
		return Written{Data: f.Data(), File: f, Left: leave(changes, Unsafe, "the file would not say what it should: "+what)}
	}
	after.bom = f.bom
	for i := range all {
		all[i].At += len(f.bom)
	}
	return Written{Data: after.Data(), File: after, Edits: all, Left: w.left}
}

// differs names what came out otherwise than it was wanted; nothing is well. The
// tasks are the same, whatever became of them, and so are the lists that were
// not to change.
func (w wanted) differs(before, after plan.Plan) string {
	same := func(a, b plan.Task) bool { return a.ID == b.ID && a.Title == b.Title && a.Agent == b.Agent }
	refused := func(kinds ...ChangeKind) bool {
		return slices.ContainsFunc(w.left, func(l Left) bool { return slices.Contains(kinds, l.Change.Kind) })
	}
	switch {
	case !slices.EqualFunc(before.Tasks, after.Tasks, same):
		return "the tasks"
	case !slices.Equal(w.gaps.whole, after.Gaps) && !refused(AddGap, RemoveGap):
		return gapsKey
	case !slices.Equal(w.edgeCases.whole, after.EdgeCases) && !refused(AddEdgeCase, RemoveEdgeCase):
		return edgeCasesKey
	case before.Title != after.Title || before.Constraints != after.Constraints:
		return "the text"
	}
	return ""
}

// Data is the text that was read, byte for byte.
func (f File) Data() []byte { return []byte(f.bom + f.text) }

// leave leaves all changes for one reason.
func leave(changes []Change, why Why, message string) []Left {
	out := make([]Left, len(changes))
	for i, c := range changes {
		out[i] = Left{Change: c, Why: why, Message: message}
	}
	return out
}

// hand writes changes the way one format does: each method makes the edits and
// tells what the format has no place for.
type hand interface {
	// setTask writes what is not zero, and returns that of it which has no place.
	setTask(e *edits, i int, c Change) Change
	// tick marks a step or a criterion of a task as done.
	tick(e *edits, i int, c Change) Why
	setPlan(e *edits, s plan.PlanStatus) bool
	// setTexts takes texts out of the list of that name, and adds others.
	setTexts(e *edits, name string, l texts) bool
	reviewed(e *edits, c Change) bool
	// addTodos adds steps to a task.
	addTodos(e *edits, i int, all []Change) bool
	// settle brings up to date what depends on the status of several tasks, where
	// one of them was written.
	settle(e *edits, now statuses)
}

// texts is how a list changes: the numbers of items that go, and what comes.
type texts struct {
	gone  []int
	added []string
	// left is how many of the old ones stay.
	left int
	// whole is the list that comes of it.
	whole []string
}

func (t texts) none() bool { return len(t.gone) == 0 && len(t.added) == 0 }

// The names of the lists, as seed 003 writes them.
const (
	gapsKey      = "gaps"
	edgeCasesKey = "edge_cases"
)

// handless has no place for anything.
type handless struct{}

func (handless) setTask(_ *edits, _ int, c Change) Change { return c }
func (handless) tick(*edits, int, Change) Why             { return NoPlace }
func (handless) setPlan(*edits, plan.PlanStatus) bool     { return false }
func (handless) setTexts(*edits, string, texts) bool      { return false }
func (handless) reviewed(*edits, Change) bool             { return false }
func (handless) addTodos(*edits, int, []Change) bool      { return false }
func (handless) settle(*edits, statuses)                  {}

// statuses are those of all tasks after the changes.
type statuses struct {
	tasks  []plan.Task
	wanted map[int]Change
}

func (s statuses) of(i int) plan.Status {
	if now := s.wanted[i].Status; now != "" {
		return now
	}
	return s.tasks[i].Status
}

// over: all of these tasks are, and one of them was written now.
func (s statuses) over(parts []int) bool {
	written := false
	for _, i := range parts {
		written = written || s.wanted[i].Status != ""
		if s.of(i).Open() {
			return false
		}
	}
	return written
}

// edits collects replacements in one text. They stand apart from each other;
// what is put in at one place keeps its order.
type edits struct {
	all []Edit
	// by are the numbers of those that may be asked for again, by what they are
	// about: the last word counts.
	by map[any]int
	// units are entries of a list that come together.
	units []string
}

// replace writes over a range; asked for the same range again, it is the later
// text.
func (e *edits) replace(from, to int, text string) {
	e.about([2]int{from, to}, Edit{At: from, Length: to - from, Text: text})
}

// about is an edit that a later one about the same thing takes the place of.
func (e *edits) about(what any, x Edit) {
	if e.by == nil {
		e.by = map[any]int{}
	}
	if n, ok := e.by[what]; ok {
		e.all[n] = x
		return
	}
	e.by[what] = len(e.all)
	e.all = append(e.all, x)
}

func (e *edits) insert(at int, text string) { e.all = append(e.all, Edit{At: at, Text: text}) }

// sorted are the edits in the order of the text, without those that change
// nothing.
func (e *edits) sorted(text string) []Edit {
	out := slices.DeleteFunc(slices.Clone(e.all), func(x Edit) bool { return text[x.At:x.At+x.Length] == x.Text })
	slices.SortStableFunc(out, func(a, b Edit) int { return cmp.Or(a.At-b.At, min(a.Length, 1)-min(b.Length, 1)) })
	return out
}

// apply makes the edits, which are sorted.
func apply(text string, all []Edit) string {
	var b strings.Builder
	at := 0
	for _, x := range all {
		b.WriteString(text[at:x.At])
		b.WriteString(x.Text)
		at = x.At + x.Length
	}
	b.WriteString(text[at:])
	return b.String()
}
