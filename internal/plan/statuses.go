package plan

import "slices"

// Statuses returns the status of each task as a plan file has it: a task without
// open dependencies is ready, one that depends on a failed task is blocked.
func (s *State) Statuses(g *Graph) map[string]Status {
	at := make(map[string]*TaskState, len(s.Tasks))
	for i := range s.Tasks {
		at[s.Tasks[i].ID] = &s.Tasks[i]
	}
	out := make(map[string]Status, len(g.tasks))
	free := g.clear(g.over(at))
	for _, i := range g.order {
		id := g.tasks[i].ID
		t := at[id]
		if t == nil {
			out[id] = Pending
			continue
		}
		switch t.Status {
		case Running, Landing, InReview, Approving:
			out[id] = Running
		case Pending:
			if out[id] = g.waits(i, out); out[id] == Ready && !free[i] {
				out[id] = Pending
			}
		default:
			out[id] = t.Status
		}
	}
	return out
}

// waits returns the status of a task that has not begun.
func (g *Graph) waits(i int, known map[string]Status) Status {
	status := Ready
	for _, n := range g.needs[i] {
		switch known[g.tasks[n].ID] {
		case Done, Skipped:
		case Failed, Blocked:
			return Blocked
		default:
			status = Pending
		}
	}
	return status
}

// Needs are the ids of the tasks that one waits for, each once.
func (g *Graph) Needs(id string) []string {
	i, ok := g.index[id]
	if !ok {
		return nil
	}
	return g.ids(g.needs[i])
}

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

// WantedIDs are the ids of these tasks and of all that they need, in the order of the plan;
// nil is every task, also of a plan that is not sound.
func (p Plan) WantedIDs(only []string) (ids []string) {
	if len(only) == 0 {
		return nil
	}
	g, err := p.Graph()
	if err != nil {
		return nil
	}
	for i, is := range g.wanted(only) {
		if is {
			ids = append(ids, g.tasks[i].ID)
		}
	}
	return ids
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
