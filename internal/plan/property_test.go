package plan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawPlan makes a sound plan: tasks need only tasks of smaller rank, and stand
// in any order.
func drawPlan(t *rapid.T, most int) Plan {
	n := rapid.IntRange(1, most).Draw(t, "tasks")
	rank := rapid.Permutation(seq(n)).Draw(t, "ranks")
	p := Plan{Tasks: make([]Task, n)}
	for i := range p.Tasks {
		p.Tasks[i] = Task{ID: fmt.Sprint("t", i), Title: "t", Line: i + 1}
		for j := range n {
			if rank[j] < rank[i] && rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
				p.Tasks[i].Needs = append(p.Tasks[i].Needs, Need{fmt.Sprint("t", j), Stated})
			}
		}
	}
	return p
}

func seq(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// waits says whether task i waits for task j, found by going along the needs.
func waits(g *Graph, i, j int) bool {
	return slices.ContainsFunc(g.needs[i], func(n int) bool { return n == j || waits(g, n, j) })
}

// Everything is compared with its definition, computed the slow way.
func TestAnswersAreTrue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t, 9)
		g, err := p.Graph()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := g.MaxParallel(), widthByTrying(g); got != want {
			t.Errorf("width %d, want %d", got, want)
		}
		if len(g.Widest()) != g.MaxParallel() || !independent(g, numbers(g, g.Widest())) {
			t.Errorf("the widest is %v, the width %d", g.Widest(), g.MaxParallel())
		}
		if len(g.Longest()) != len(g.Levels()) || !chained(g, numbers(g, g.Longest()), true) {
			t.Errorf("the longest is %v, levels %v", g.Longest(), g.Levels())
		}
		checkOnce(t, p, g.Levels())
		checkOnce(t, p, g.Cover())
		for _, c := range g.Cover() {
			if !chained(g, numbers(g, c), false) {
				t.Errorf("%v is no chain", c)
			}
		}
		for _, l := range g.Levels() {
			if !independent(g, numbers(g, l)) {
				t.Errorf("level %v does not run at once", l)
			}
		}
		for _, c := range g.Chains() {
			if len(c) < 2 || !chained(g, numbers(g, c), true) {
				t.Errorf("%v is no run", c)
			}
		}
	})
}

// The turns of the best possible schedule are bounded by the longest chain and
// by the work; what is found is at most Graham's bound away, exact at both ends,
// and never worse with one loop more on an independent or chained plan.
func TestTurns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g, err := drawPlan(t, 14).Graph()
		if err != nil {
			t.Fatal(err)
		}
		n, longest := g.Len(), len(g.Longest())
		if g.Turns(1) != n || g.Turns(0) != n || g.Turns(-3) != n {
			t.Errorf("one loop takes %d turns for %d tasks", g.Turns(1), n)
		}
		if got := g.Turns(g.MaxParallel()); got < longest || g.Turns(n) != longest {
			t.Errorf("%d turns with as many loops as it is wide, %d with one each, longest %d", got, g.Turns(n), longest)
		}
		for k := 1; k <= n; k++ {
			low := max(longest, (n+k-1)/k)
			if got := g.Turns(k); got < low || got > (n-longest+k-1)/k+longest {
				t.Errorf("%d turns with %d loops: %d tasks, longest %d", got, k, n, longest)
			}
		}
	})
}

// A cycle is always found, and what is named is one.
func TestCycles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t, 9)
		n := len(p.Tasks)
		for range rapid.IntRange(0, 3).Draw(t, "back edges") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			p.Tasks[i].Needs = append(p.Tasks[i].Needs, Need{p.Tasks[j].ID, Stated})
		}
		err := p.Validate()
		if err == nil {
			return // Graph sorted all tasks, so there is none.
		}
		ring, ok := errors.AsType[*Error](err)
		if !ok || ring.Kind != Cycle || len(ring.Path) < 2 || ring.Path[0] != ring.Path[len(ring.Path)-1] {
			t.Fatalf("got %v", err)
		}
		for k := range len(ring.Path) - 1 {
			i := slices.IndexFunc(p.Tasks, func(x Task) bool { return x.ID == ring.Path[k] })
			if !slices.ContainsFunc(p.Tasks[i].Needs, func(n Need) bool { return n.On == ring.Path[k+1] }) {
				t.Errorf("%s does not need %s", ring.Path[k], ring.Path[k+1])
			}
		}
	})
}

func numbers(g *Graph, ids []string) []int {
	out := make([]int, len(ids))
	for i, id := range ids {
		out[i] = slices.IndexFunc(g.tasks, func(t Task) bool { return t.ID == id })
	}
	return out
}

func independent(g *Graph, set []int) bool {
	for _, i := range set {
		for _, j := range set {
			if waits(g, i, j) {
				return false
			}
		}
	}
	return true
}

// chained: each waits for the one before; directly, where that is asked for.
func chained(g *Graph, chain []int, directly bool) bool {
	for k := 1; k < len(chain); k++ {
		if directly && !slices.Contains(g.needs[chain[k]], chain[k-1]) || !waits(g, chain[k], chain[k-1]) {
			return false
		}
	}
	return true
}

func checkOnce(t *rapid.T, p Plan, parts [][]string) {
	all := slices.Sorted(slices.Values(slices.Concat(parts...)))
	var want []string
	for _, x := range p.Tasks {
		want = append(want, x.ID)
	}
	slices.Sort(want)
	if !slices.Equal(all, want) {
		t.Errorf("%v does not hold each task once", parts)
	}
}

func widthByTrying(g *Graph) int {
	best := 0
	for set := range 1 << g.Len() {
		var members []int
		for i := range g.Len() {
			if set&(1<<i) != 0 {
				members = append(members, i)
			}
		}
		if len(members) > best && independent(g, members) {
			best = len(members)
		}
	}
	return best
}

// BenchmarkGraph at the size of the longest soak.
func BenchmarkGraph(b *testing.B) {
	const n = 5000
	for _, kind := range []string{"row", "sparse", "layers"} {
		random := rand.New(rand.NewPCG(1, 2))
		p := Plan{}
		for i := range n {
			t := Task{ID: fmt.Sprint("t", i), Title: "t"}
			switch {
			case kind == "row" && i > 0:
				t.Needs = []Need{{fmt.Sprint("t", i-1), Order}}
			case kind == "sparse" && i > 0:
				for range random.IntN(3) {
					t.Needs = append(t.Needs, Need{fmt.Sprint("t", random.IntN(i)), Stated})
				}
			case kind == "layers" && i >= 50:
				for k := range 5 {
					t.Needs = append(t.Needs, Need{fmt.Sprint("t", i-50-(i%50)+(i*7+k)%50), Stated})
				}
			}
			p.Tasks = append(p.Tasks, t)
		}
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				g, err := p.Graph()
				if err != nil {
					b.Fatal(err)
				}
				g.Turns(4)
			}
		})
	}
}
