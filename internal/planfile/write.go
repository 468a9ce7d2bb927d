package planfile

import (
	"maps"
	"slices"

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
