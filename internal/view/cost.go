package view

import (
	"ralph/internal/loop"
	"ralph/internal/money"
)

// Cost is the cost of runs so far: of the agents that have ended, where they report it.
type Cost struct {
	Usage loop.Usage
	// Unknown counts the runs of agents that reported no cost: Usage is too low by theirs.
	Unknown int
}

// costOfLoop counts one run as unknown where an attempt was judged and no cost was recorded:
// agent-driven loops and those of older versions record none.
func costOfLoop(s loop.State) Cost {
	c, judged := Cost{s.Usage, s.CostUnknown}, s.Iteration
	if a := s.Last(); a != nil && a.Verdict == "" {
		judged--
	}
	if c.Usage.CostMicroUSD == nil && c.Unknown == 0 && judged > 0 {
		c.Unknown = 1
	}
	return c
}

// CostOf sums the cost of runs. A plan has the cost of its loops, so that those among the
// runs are not added again.
func CostOf(runs []Run) Cost {
	var sum Cost
	top, _ := apart(runs)
	for _, r := range top {
		sum.Usage, sum.Unknown = sum.Usage.Add(r.Cost.Usage), sum.Unknown+r.Cost.Unknown
	}
	return sum
}

// Short returns the cost in at most ten columns, as a rule: "$1.20", "~$1.20" where it is
// estimated, "$1.20+" where other runs reported none, "n/a" where none did, and "" where
// no agent has ended.
func (c Cost) Short() string {
	if c.Usage.CostMicroUSD == nil {
		if c.Unknown > 0 {
			return "n/a"
		}
		return ""
	}
	words := money.Show(*c.Usage.CostMicroUSD)
	if c.Usage.CostSource == money.Estimated {
		words = "~" + words
	}
	if c.Unknown > 0 {
		words += "+"
	}
	return words
}
