package plan

import "slices"

// Wanted are the open tasks that a run is about, in the order of the file: all,
// or those of these ids and what they need. A plan that is not sound has none.
func (p Plan) Wanted(only []string) []Task {
	g, err := p.sorted()
	if err != nil {
		return nil
	}
	wanted := g.wanted(only)
	var out []Task
	for i, t := range p.Tasks {
		if t.Status.Open() && (wanted == nil || wanted[i]) {
			out = append(out, t)
		}
	}
	return out
}

// wanted are these tasks and all they need, by number; nil is every task.
func (g *Graph) wanted(only []string) []bool {
	if len(only) == 0 {
		return nil
	}
	wanted := make([]bool, len(g.tasks))
	for _, i := range slices.Backward(g.order) {
		if slices.Contains(only, g.tasks[i].ID) {
			wanted[i] = true
		}
		if wanted[i] {
			for _, n := range g.needs[i] {
				wanted[n] = true
			}
		}
	}
	return wanted
}
