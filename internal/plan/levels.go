package plan

import (
	"cmp"
	"slices"
)

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

// Ready are the tasks that wait for nobody, in the order in which they should be
// taken (seed 002, design §7): the lower phase, then the lower priority, then
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
