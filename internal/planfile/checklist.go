package planfile

import "ralph/internal/plan"

// readChecklist reads boxes as tasks, each waiting for the one before. Boxes
// below a box are its criteria, other lines below it its text.
func (d document) readChecklist() (File, error) {
	f := File{Format: Checklist, Plan: plan.Plan{Title: firstTitle(d.lines)}}
	all, aside := items(d.lines, func(_ box, inside bool) bool { return !inside })
	ids := names{}
	ticks := newTicks(d)
	for _, it := range all {
		f.Plan.Tasks = append(f.Plan.Tasks, plan.Task{
			ID: ids.of(it.text), Title: it.text, Text: unindented(it.details), Criteria: boxTexts(it.inner),
			Group: it.group, Status: done(it.done()), Line: it.n,
		})
		ticks.add([]box{it.box}, it.inner)
	}
	inOrder(f.Plan.Tasks)
	f.hand, f.Warnings = ticks, aside
	return f, nil
}
