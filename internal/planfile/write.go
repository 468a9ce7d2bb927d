package planfile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// Write applies changes to the text that was read and changes no other bytes. It
// reads the result again before it returns: if one change made the file
// unreadable, none is made.
func (f File) Write(changes []Change) Written {
	w := fold(f.Plan, changes)
	e := &edits{}
	for _, i := range slices.Sorted(maps.Keys(w.tasks)) {
		c := w.tasks[i]
		if rest := f.writer.setTask(e, i, c); !rest.empty() {
			w.left = append(w.left, left(rest, NoPlace))
		}
	}
	f.writeSteps(e, &w)
	f.writer.setDependents(e, statuses{f.Plan.Tasks, w.tasks})
	f.writePlan(e, &w, changes)
	return f.finish(e, w, changes)
}

func (f File) writeSteps(e *edits, w *wanted) {
	for _, t := range w.ticks {
		if why := f.writer.tick(e, t.task, t.change); why != "" {
			w.left = append(w.left, left(t.change, why))
		}
	}
	for _, i := range slices.Sorted(maps.Keys(w.todos)) {
		if !f.writer.addTodos(e, i, w.todos[i]) {
			w.left = append(w.left, leftOf(w.todos[i], AddTodo)...)
		}
	}
}

// writePlan writes changes to the plan as a whole.
func (f File) writePlan(e *edits, w *wanted, changes []Change) {
	if w.plan != "" && !f.writer.setPlan(e, w.plan) {
		w.left = append(w.left, left(Change{Kind: SetPlan, Plan: w.plan}, NoPlace))
	}
	if !w.gaps.none() && !f.writer.setTexts(e, gapsKey, w.gaps) {
		w.left = append(w.left, leftOf(changes, AddGap, RemoveGap)...)
	}
	if !w.edgeCases.none() && !f.writer.setTexts(e, edgeCasesKey, w.edgeCases) {
		w.left = append(w.left, leftOf(changes, AddEdgeCase, RemoveEdgeCase)...)
	}
	if w.review != nil && !f.writer.reviewed(e, *w.review) {
		w.left = append(w.left, left(*w.review, NoPlace))
	}
}

// leftOf returns all changes of these kinds as without a place.
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
		return Written{Data: f.Data(), File: f, Left: leave(changes, Unsafe, "the result would differ from the change: "+what)}
	}
	after.bom = f.bom
	for i := range all {
		all[i].At += len(f.bom)
	}
	return Written{Data: after.Data(), File: after, Edits: all, Left: w.left}
}

// differs describes how the result differs from the wanted one, "" if it does
// not. Ids, titles and agents of tasks and lists without changes must be the
// same.
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

// Data returns the text that was read, byte for byte.
func (f File) Data() []byte { return []byte(f.bom + f.text) }

// leave returns all changes as left for one reason.
func leave(changes []Change, why Why, message string) []Left {
	out := make([]Left, len(changes))
	for i, c := range changes {
		out[i] = Left{Change: c, Why: why, Message: message}
	}
	return out
}

// writer writes changes in one format: each method makes the edits and reports
// what the format has no place for.
type writer interface {
	// setTask writes the fields that are not zero and returns those without a place.
	setTask(e *edits, i int, c Change) Change
	// tick marks a step or a criterion of a task as done.
	tick(e *edits, i int, c Change) Why
	setPlan(e *edits, s plan.PlanStatus) bool
	// setTexts removes texts from the list of that name and adds others.
	setTexts(e *edits, name string, l texts) bool
	reviewed(e *edits, c Change) bool
	// addTodos adds steps to a task.
	addTodos(e *edits, i int, all []Change) bool
	// setDependents updates what depends on the status of several tasks, if one of them
	// was written.
	setDependents(e *edits, now statuses)
}

// texts is a change to a list: the indexes of removed items, and new items.
type texts struct {
	gone  []int
	added []string
	// left counts the old items that stay.
	left int
	// whole is the resulting list.
	whole []string
}

func (t texts) none() bool { return len(t.gone) == 0 && len(t.added) == 0 }

// The names of the lists, as seed 003 writes them.
const (
	gapsKey      = "gaps"
	edgeCasesKey = "edge_cases"
	gapRoundsKey = "gap_rounds"
)

// noWriter has no place for anything.
type noWriter struct{}

func (noWriter) setTask(_ *edits, _ int, c Change) Change { return c }
func (noWriter) tick(*edits, int, Change) Why             { return NoPlace }
func (noWriter) setPlan(*edits, plan.PlanStatus) bool     { return false }
func (noWriter) setTexts(*edits, string, texts) bool      { return false }
func (noWriter) reviewed(*edits, Change) bool             { return false }
func (noWriter) addTodos(*edits, int, []Change) bool      { return false }
func (noWriter) setDependents(*edits, statuses)           {}

// statuses returns the statuses of all tasks after the changes.
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

// over reports whether all of these tasks are closed and one was written now.
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

// edits collects replacements in one text. They do not overlap; insertions at one
// offset keep their order.
type edits struct {
	all []Edit
	// by maps a key to the index of its edit; a later edit of the key replaces it.
	by map[any]int
	// units are new entries of one list, written together.
	units []string
}

// replace overwrites a range; a later replacement of the same range wins.
func (e *edits) replace(from, to int, text string) {
	e.about([2]int{from, to}, Edit{At: from, Length: to - from, Text: text})
}

// about adds an edit that a later one with the same key replaces.
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

// sorted returns the edits in the order of the text, without those that change
// nothing.
func (e *edits) sorted(text string) []Edit {
	out := slices.DeleteFunc(slices.Clone(e.all), func(x Edit) bool { return text[x.At:x.At+x.Length] == x.Text })
	slices.SortStableFunc(out, func(a, b Edit) int { return cmp.Or(a.At-b.At, min(a.Length, 1)-min(b.Length, 1)) })
	return out
}

// apply makes sorted edits.
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
