package plan

import "slices"

// Width is the greatest number of tasks of which none waits for another: more
// loops than that can never be busy at once. It is exact. The largest level is
// only a lower bound: a task that could run early may as well run late.
func (g *Graph) Width() int { return len(g.Cover()) }

// close collects who waits for whom, directly or not.
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
// tasks with tasks that wait for them, found by augmenting paths. What a search
// without success has seen is useless until the next success, so all searches
// in between share it.
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
// ones where there is a choice. By
// Dilworth's theorem there is one in each chain of the cover; which one follows
// from König's proof: not what can be reached from the ends of chains by going
// to a task that waits, and back along its chain.
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
