package plan

import (
	"cmp"
	mathbits "math/bits"
	"slices"
)

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

// families separates the parts of the plan that have nothing to do with each
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

// MaxParallel is the greatest number of tasks of which none waits for another: more
// loops than that can never be busy at once. It is exact. The largest level is
// only a lower bound: a task that could run early may as well run late.
func (g *Graph) MaxParallel() int { return len(g.Cover()) }

// close collects all dependants of each task, direct or not.
func (g *Graph) close() {
	g.after = make([]bits, len(g.tasks))
	for _, i := range slices.Backward(g.order) {
		g.after[i] = newBits(len(g.tasks))
		for _, u := range g.users[i] {
			g.after[i].set(u)
			g.after[i].add(g.after[u])
		}
	}
}

// cover links tasks into as few chains as possible: a greatest matching of
// tasks with tasks that wait for them, found by augmenting paths. The nodes
// seen by a search without success are useless until the next success, so all
// searches in between share it.
func (g *Graph) cover() {
	m := matching{g: g, before: make([]int, len(g.tasks)), seen: newBits(len(g.tasks))}
	g.next = make([]int, len(g.tasks))
	for i := range g.tasks {
		g.next[i], m.before[i] = -1, -1
	}
	for _, i := range g.order {
		if m.augment(i) {
			clear(m.seen)
		}
	}
}

type matching struct {
	g      *Graph
	before []int
	seen   bits
}

// augment gives task i a follower, moving the followers of others if it must.
func (m *matching) augment(i int) bool {
	after := m.g.after[i]
	for v := after.firstBut(m.seen); v >= 0; v = after.firstBut(m.seen) {
		m.seen.set(v)
		if m.before[v] < 0 || m.augment(m.before[v]) {
			m.before[v], m.g.next[i] = i, v
			return true
		}
	}
	return false
}

// Widest names tasks that could all run at once, as many as there can be, late
// ones where there is a choice. By Dilworth's theorem there is one in each
// chain of the cover; which one follows from König's proof: not the one that
// can be reached from the ends of chains by going to a task that waits, and
// back along its chain.
func (g *Graph) Widest() []string {
	before := make([]int, len(g.tasks))
	for i := range before {
		before[i] = -1
	}
	var todo []int
	from, to := newBits(len(g.tasks)), newBits(len(g.tasks))
	for i, n := range g.next {
		if n >= 0 {
			before[n] = i
			continue
		}
		from.set(i)
		todo = append(todo, i)
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for v := g.after[at].firstBut(to); v >= 0; v = g.after[at].firstBut(to) {
			to.set(v)
			if u := before[v]; u >= 0 && !from.has(u) {
				from.set(u)
				todo = append(todo, u)
			}
		}
	}
	var widest []int
	for i := range g.tasks {
		if from.has(i) && !to.has(i) {
			widest = append(widest, i)
		}
	}
	return g.ids(widest)
}

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

// bits is a set of small numbers.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// add takes in all of another set of the same size.
func (b bits) add(c bits) {
	for i := range c {
		b[i] |= c[i]
	}
}

// firstBut is the smallest member that the other set lacks, or -1.
func (b bits) firstBut(c bits) int {
	for i := range b {
		if w := b[i] &^ c[i]; w != 0 {
			return 64*i + mathbits.TrailingZeros64(w)
		}
	}
	return -1
}
