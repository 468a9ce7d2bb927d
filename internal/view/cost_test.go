package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/money"
)

func TestCostShort(t *testing.T) {
	t.Parallel()
	told := func(n int64, source string) loop.Usage { return loop.Usage{CostMicroUSD: &n, CostSource: source} }
	for want, c := range map[string]Cost{
		"":          {},
		"n/a":       {Unknown: 2},
		"$1.20":     {Usage: told(1_200_000, "reported")},
		"~$1.20":    {Usage: told(1_200_000, money.Estimated)},
		"~$0.0042+": {told(4200, money.Estimated), 1},
		"$0.00":     {Usage: told(0, "reported")},
	} {
		if got := c.Short(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestCostOfPlansCountsOnce: the loops of a plan stand below it in lists, and their cost is
// the plan's.
func TestCostOfPlansCountsOnce(t *testing.T) {
	t.Parallel()
	cost := func(n int64) Cost { return Cost{Usage: loop.Usage{CostMicroUSD: &n, CostSource: "reported"}} }
	runs := []Run{{ID: "p", Plan: true, Cost: cost(3_000_000)}, {ID: "p-1", Of: "p", Cost: cost(3_000_000)}, {ID: "alone", Cost: cost(500_000)}}
	if got := CostOf(runs).Short(); got != "$3.50" {
		t.Error(got)
	}
	runs = append(runs, Run{ID: "silent", Cost: Cost{Unknown: 1}})
	if got := CostOf(runs).Short(); got != "$3.50+" {
		t.Error(got)
	}
}

// TestCostIsNeverGuessed: attempts without a recorded cost are not free.
func TestCostIsNeverGuessed(t *testing.T) {
	t.Parallel()
	s := loop.State{Iteration: 1, Recent: []loop.Attempt{{N: 1, Verdict: loop.Failed}}}
	if got := costOfLoop(s).Short(); got != "n/a" {
		t.Errorf("a loop that records none: %q", got)
	}
	if got := costOfLoop(loop.State{Iteration: 1, Recent: []loop.Attempt{{N: 1}}}).Short(); got != "" {
		t.Errorf("its first agent works: %q", got)
	}
	n := int64(2_000_000)
	quiet := Item{State: s}
	p := PlanItem{Whole: true, Loops: []Item{{State: loop.State{Usage: loop.Usage{CostMicroUSD: &n, CostSource: "reported"}}}, quiet}}
	if got := p.Run(s.StartedAt).Row(s.StartedAt, Palette{}).Cost; got != "$2.00+" {
		t.Errorf("a plan: %q", got)
	}
	p.Whole = false
	if got := p.Run(s.StartedAt).Row(s.StartedAt, Palette{}).Cost; got != "n/a" {
		t.Errorf("a plan of which loops are left out: %q", got)
	}
}

// Runs of an agent that reported no model stand in the row of its other runs.
func TestAgentHasOneRow(t *testing.T) {
	t.Parallel()
	spent := []loop.AgentSpent{{Name: "w", Runs: 1}, {Name: "w", Model: "m", Runs: 2}, {Name: "v"}, {Name: "w", Review: true}}
	var models []string
	for _, p := range named(spent) {
		models = append(models, p.Model)
	}
	if diff := cmp.Diff([]string{"m", "m", "", ""}, models); diff != "" {
		t.Error(diff)
	}
	if got := named(append(spent, loop.AgentSpent{Name: "w", Model: "n"})); got[0].Model != "" {
		t.Errorf("one of two models: %q", got[0].Model)
	}
}
