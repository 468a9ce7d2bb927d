package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

type answers struct {
	Levels, Chains, Cover [][]string
	Longest, Widest       []string
	Turns                 []int // with 1, 2, 3 loops
}

func answersOf(t *testing.T, p Plan) answers {
	t.Helper()
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	return answers{
		Levels: g.Levels(), Chains: g.Chains(), Cover: g.Cover(), Longest: g.Longest(), Widest: g.Widest(),
		Turns: []int{g.Turns(1), g.Turns(2), g.Turns(3)},
	}
}

func TestGraph(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan Plan
		want answers
	}{
		"one": {of("a"), answers{
			Levels: [][]string{{"a"}}, Chains: [][]string{}, Cover: [][]string{{"a"}},
			Longest: []string{"a"}, Widest: []string{"a"}, Turns: []int{1, 1, 1},
		}},
		"in a row": {of("a", "b: a", "c: b"), answers{
			Levels: [][]string{{"a"}, {"b"}, {"c"}}, Chains: [][]string{{"a", "b", "c"}}, Cover: [][]string{{"a", "b", "c"}},
			Longest: []string{"a", "b", "c"}, Widest: []string{"c"}, Turns: []int{3, 3, 3},
		}},
		"independent": {of("a", "b", "c"), answers{
			Levels: [][]string{{"a", "b", "c"}}, Chains: [][]string{}, Cover: [][]string{{"a"}, {"b"}, {"c"}},
			Longest: []string{"a"}, Widest: []string{"a", "b", "c"}, Turns: []int{3, 2, 1},
		}},
		"diamond": {of("a", "b: a", "c: a", "d: b c"), answers{
			Levels: [][]string{{"a"}, {"b", "c"}, {"d"}}, Chains: [][]string{}, Cover: [][]string{{"a", "b", "d"}, {"c"}},
			Longest: []string{"a", "b", "d"}, Widest: []string{"b", "c"}, Turns: []int{4, 3, 3},
		}},
		// No level has more than two, and yet three can run at once: c may wait
		// until e and f are ready.
		"wider than its levels": {of("a", "b", "c: a", "d: b", "e: d", "f: d"), answers{
			Levels: [][]string{{"a", "b"}, {"c", "d"}, {"e", "f"}}, Chains: [][]string{{"a", "c"}, {"b", "d"}},
			Cover:   [][]string{{"a", "c"}, {"b", "d", "e"}, {"f"}},
			Longest: []string{"b", "d", "e"}, Widest: []string{"c", "e", "f"}, Turns: []int{6, 3, 3},
		}},
		// The urgent one first: with two loops the long chain must not wait.
		"long chain last in the file": {of("x", "y", "z", "a", "b: a", "c: b"), answers{
			Levels: [][]string{{"x", "y", "z", "a"}, {"b"}, {"c"}}, Chains: [][]string{{"a", "b", "c"}},
			Cover:   [][]string{{"x"}, {"y"}, {"z"}, {"a", "b", "c"}},
			Longest: []string{"a", "b", "c"}, Widest: []string{"x", "y", "z", "c"}, Turns: []int{6, 3, 3},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, answersOf(t, c.plan)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	p := of("a", "b: a", "c: b", "d: b c", "e: d")
	p.Tasks[0].Status, p.Tasks[1].Status, p.Tasks[3].Status = Done, Skipped, Failed
	want := of("a", "b", "c", "d: c", "e: d").Tasks[2:]
	want[1].Status = Failed
	if diff := cmp.Diff(want, p.Open().Tasks); diff != "" {
		t.Error(diff)
	}
	if len(p.Tasks[1].Needs) != 1 {
		t.Error("the plan itself was changed")
	}
}

func TestBecause(t *testing.T) {
	t.Parallel()
	p := of("a", "b: a", "c: a b")
	p.Tasks[2].Needs[1].Why = Order
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[Why]int{Stated: 2, Order: 1}, g.Because()); diff != "" {
		t.Error(diff)
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	p := of("a", "b", "c", "d", "e: a", "f")
	p.Tasks[0].Phase = 1
	p.Tasks[1].Priority = 1
	p.Tasks[2].Attempts = 1
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"d", "f", "c", "b", "a"}, g.Ready()); diff != "" {
		t.Error(diff)
	}
}
