package plan

import "slices"

// Graph answers questions about a plan that is sound. Tasks are numbered in the
// order of the file; all answers are in that order where it leaves a choice.
type Graph struct {
	tasks []Task
	// index finds a task's number by its id.
	index map[string]int
	// needs and users are the edges, both ways, each once.
	needs, users [][]int
	// chained are those needs of each task that only an order says: see clear.
	chained [][]int
	// order lists each task after all it needs.
	order []int
	// after holds, for each task, all tasks that wait for it, directly or not.
	after []bits
	// next is the task that follows in the chain of the cover, or -1.
	next []int
}

// Graph validates the plan; the error is of type Errors.
func (p Plan) Graph() (*Graph, error) {
	g, err := p.sorted()
	if err != nil {
		return nil, err
	}
	g.close()
	g.cover()
	return g, nil
}

// sorted is a graph that knows who waits for whom, and no more: it takes time in
// proportion to the plan.
func (p Plan) sorted() (*Graph, error) {
	if errs := p.mistakes(); len(errs) > 0 {
		return nil, errs
	}
	g := &Graph{tasks: p.Tasks, needs: make([][]int, len(p.Tasks)), users: make([][]int, len(p.Tasks)), chained: make([][]int, len(p.Tasks))}
	g.index = make(map[string]int, len(p.Tasks))
	for i, t := range p.Tasks {
		g.index[t.ID] = i
	}
	for i, t := range p.Tasks {
		for _, n := range t.Needs {
			if j := g.index[n.On]; !slices.Contains(g.needs[i], j) {
				g.needs[i], g.users[j] = append(g.needs[i], j), append(g.users[j], i)
				if n.Why != Stated {
					g.chained[i] = append(g.chained[i], j)
				}
			}
		}
	}
	g.sort()
	if len(g.order) < len(g.tasks) {
		return nil, Errors{g.cycle()}
	}
	return g, nil
}

// sort is Kahn's: whoever waits for nobody comes first. Tasks in a cycle, or
// behind one, are left out.
func (g *Graph) sort() {
	waits := make([]int, len(g.tasks))
	for i := range g.tasks {
		if waits[i] = len(g.needs[i]); waits[i] == 0 {
			g.order = append(g.order, i)
		}
	}
	for at := 0; at < len(g.order); at++ {
		for _, u := range g.users[g.order[at]] {
			if waits[u]--; waits[u] == 0 {
				g.order = append(g.order, u)
			}
		}
	}
}

// cycle names one: from any task that was left out, follow needs that were left
// out too until a task comes again.
func (g *Graph) cycle() *Error {
	sorted := make([]bool, len(g.tasks))
	for _, i := range g.order {
		sorted[i] = true
	}
	left := func(i int) bool { return !sorted[i] }
	var path []int
	at := slices.Index(sorted, false)
	for !slices.Contains(path, at) {
		path = append(path, at)
		at = g.needs[at][slices.IndexFunc(g.needs[at], left)]
	}
	path = path[slices.Index(path, at):]
	// The task that stands first in the file begins.
	first := slices.Index(path, slices.Min(path))
	path = slices.Concat(path[first:], path[:first+1])
	return &Error{Kind: Cycle, Line: g.tasks[path[0]].Line, Task: g.tasks[path[0]].ID, Path: g.ids(path)}
}

func (g *Graph) ids(tasks []int) []string {
	out := make([]string, len(tasks))
	for i, t := range tasks {
		out[i] = g.tasks[t].ID
	}
	return out
}

// Len is the number of tasks.
func (g *Graph) Len() int { return len(g.tasks) }

// Because counts the dependencies by where they come from.
func (g *Graph) Because() map[Why]int {
	count := map[Why]int{}
	for _, t := range g.tasks {
		for _, n := range t.Needs {
			count[n.Why]++
		}
	}
	return count
}
