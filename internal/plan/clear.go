package plan

import "slices"

// clear says of each task whether nothing holds it up, by which tasks are over.
// Whoever stands behind another one by the order of the file alone stands behind
// all that this one stands behind: what was done out of turn makes no gap to slip
// through. A stated need is met when it is over.
func (g *Graph) clear(over []bool) []bool {
	out := make([]bool, len(g.tasks))
	for _, i := range g.order {
		out[i] = !slices.ContainsFunc(g.needs[i], func(n int) bool { return !over[n] }) &&
			!slices.ContainsFunc(g.chained[i], func(n int) bool { return !out[n] })
	}
	return out
}

// over are the tasks that hold nobody up.
func (g *Graph) over(at map[string]*TaskState) []bool {
	out := make([]bool, len(g.tasks))
	for i := range g.tasks {
		t := at[g.tasks[i].ID]
		out[i] = t != nil && (t.Status == Done || t.Status == Skipped)
	}
	return out
}
