package plan

import (
	"cmp"
	"slices"
)

// Turns is how many turns so many loops need, if every task takes one turn and
// a free loop takes the task with the longest chain behind it. Fewer than one
// loop are one.
func (g *Graph) Turns(loops int) int {
	loops = max(loops, 1)
	height := g.height()
	urgent := func(a, b int) int { return cmp.Or(height[b]-height[a], a-b) }
	waits := make([]int, len(g.tasks))
	var ready []int
	for i := range g.tasks {
		if waits[i] = len(g.needs[i]); waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	turns := 0
	for ; len(ready) > 0; turns++ {
		slices.SortFunc(ready, urgent)
		done := slices.Clone(ready[:min(loops, len(ready))])
		ready = ready[len(done):]
		for _, i := range done {
			for _, u := range g.users[i] {
				if waits[u]--; waits[u] == 0 {
					ready = append(ready, u)
				}
			}
		}
	}
	return turns
}
