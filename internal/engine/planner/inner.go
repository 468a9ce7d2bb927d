package planner

import (
	"slices"

	"ralph/internal/plan"
)

// InnerOpen says whether the plan that a task of the file parent names has work
// left, by what stands in its file. One that cannot be read has none: that is told
// where it is to be run.
func InnerOpen(parent string, t plan.Task) bool { return innerOpen(parent, t, nil) }

func innerOpen(parent string, t plan.Task, above []string) bool {
	if t.SubPlan == "" {
		return false
	}
	path, err := ChildFile(parent, t.SubPlan)
	if err != nil || slices.Contains(above, path) {
		return false
	}
	b := newBook(path, "")
	if b.load() != nil || b.plan.Status == plan.PlanArchived {
		return false
	}
	above = append(slices.Clone(above), path)
	return slices.ContainsFunc(b.plan.Tasks, func(t plan.Task) bool {
		return t.Status.Open() || t.Status == plan.Done && innerOpen(path, t, above)
	})
}
