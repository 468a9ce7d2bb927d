package plan

import "slices"

// Cover splits the plan into the fewest chains: tasks of one chain wait for each
// other, so each chain is work for one loop at a time. Chains that depend on
// each other in any way stand side by side.
func (g *Graph) Cover() [][]string {
	follows := newBits(len(g.tasks))
	for _, n := range g.next {
		if n >= 0 {
			follows.set(n)
		}
	}
	var chains [][]int
	for i := range g.tasks {
		if follows.has(i) {
			continue
		}
		var chain []int
		for at := i; at >= 0; at = g.next[at] {
			chain = append(chain, at)
		}
		chains = append(chains, chain)
	}
	family := g.families()
	slices.SortStableFunc(chains, func(a, b []int) int { return family[a[0]] - family[b[0]] })
	out := make([][]string, len(chains))
	for i, c := range chains {
		out[i] = g.ids(c)
	}
	return out
}

// families tells the parts of the plan apart that have nothing to do with each
// other: each task has the number of its part's first one.
func (g *Graph) families() []int {
	family := make([]int, len(g.tasks))
	for i := range family {
		family[i] = -1
	}
	for i := range g.tasks {
		if family[i] < 0 {
			g.visit(i, family)
		}
	}
	return family
}

func (g *Graph) visit(first int, family []int) {
	family[first] = first
	for todo := []int{first}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range slices.Concat(g.needs[at], g.users[at]) {
			if family[n] < 0 {
				family[n] = first
				todo = append(todo, n)
			}
		}
	}
}
