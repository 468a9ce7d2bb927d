package plan

// Statuses are those of all tasks in the words of a plan file: what waits for
// nobody is ready, what waits for a task that has failed is blocked.
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
		case Running, Landing, Reviewed, Approving:
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

// waits is the status of a task that nobody has begun.
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
