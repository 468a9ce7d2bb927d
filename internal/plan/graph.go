package plan

import (
	"cmp"
	"slices"
)

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

// sorted returns a graph with the dependencies only: it takes time in
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

// sort is Kahn's: tasks without open dependencies come first. Tasks in a cycle, or
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

// clear reports for each task whether nothing blocks it, given the tasks that are
// over. A task that waits by the order of the file alone also waits for all that
// the one before it waits for, so that a task done early opens no gap. A stated
// dependency is met when its task is over.
func (g *Graph) clear(over []bool) []bool {
	out := make([]bool, len(g.tasks))
	for _, i := range g.order {
		out[i] = !slices.ContainsFunc(g.needs[i], func(n int) bool { return !over[n] }) &&
			!slices.ContainsFunc(g.chained[i], func(n int) bool { return !out[n] })
	}
	return out
}

// over reports for each task whether it blocks no other.
func (g *Graph) over(at map[string]*TaskState) []bool {
	out := make([]bool, len(g.tasks))
	for i := range g.tasks {
		t := at[g.tasks[i].ID]
		out[i] = t != nil && (t.Status == Done || t.Status == Skipped)
	}
	return out
}

// Levels are the turns of a plan with as many loops as it can use: every task
// stands in the first level in which nothing holds it up.
func (g *Graph) Levels() [][]string {
	var levels [][]int
	for i, n := range g.depth() {
		for len(levels) <= n {
			levels = append(levels, nil)
		}
		levels[n] = append(levels[n], i)
	}
	out := make([][]string, len(levels))
	for i := range levels {
		out[i] = g.ids(levels[i])
	}
	return out
}

// depth is how many tasks stand before each one in the longest chain to it.
func (g *Graph) depth() []int {
	depth := make([]int, len(g.tasks))
	for _, i := range g.order {
		for _, n := range g.needs[i] {
			depth[i] = max(depth[i], depth[n]+1)
		}
	}
	return depth
}

// height is how many tasks stand behind each one in the longest chain from it.
func (g *Graph) height() []int {
	height := make([]int, len(g.tasks))
	for _, i := range slices.Backward(g.order) {
		for _, u := range g.users[i] {
			height[i] = max(height[i], height[u]+1)
		}
	}
	return height
}

// Longest is a chain of tasks, each needing the one before, that no other is
// longer than: with any number of loops the plan takes so many turns.
func (g *Graph) Longest() []string {
	height := g.height()
	at := 0
	for i, h := range height {
		if h > height[at] {
			at = i
		}
	}
	chain := []int{at}
	for height[at] > 0 {
		deeper := func(u int) bool { return height[u] == height[at]-1 }
		at = g.users[at][slices.IndexFunc(g.users[at], deeper)]
		chain = append(chain, at)
	}
	return g.ids(chain)
}

// Ready lists the tasks without open dependencies, in the order in which they should
// start (seed 002): the lower phase, then the lower priority, then
// fewer attempts, then the file.
func (g *Graph) Ready() []string {
	var ready []int
	for i := range g.tasks {
		if len(g.needs[i]) == 0 {
			ready = append(ready, i)
		}
	}
	slices.SortStableFunc(ready, func(i, j int) int {
		a, b := g.tasks[i], g.tasks[j]
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Attempts, b.Attempts))
	})
	return g.ids(ready)
}

// Chains are the longest runs of at least two tasks that can only be done one
// after another and that nothing else joins or leaves in between: work for one
// loop at a time, whatever the number of loops.
func (g *Graph) Chains() [][]string {
	alone := func(i int) bool { return len(g.needs[i]) == 1 && len(g.users[g.needs[i][0]]) == 1 }
	out := [][]string{}
	for i := range g.tasks {
		if alone(i) {
			continue
		}
		run := []int{i}
		for at := i; len(g.users[at]) == 1 && alone(g.users[at][0]); {
			at = g.users[at][0]
			run = append(run, at)
		}
		if len(run) > 1 {
			out = append(out, g.ids(run))
		}
	}
	return out
}
