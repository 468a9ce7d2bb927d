package view

import (
	"strings"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/text"
)

// cost names its source: money is reported by the agent's own accounting or
// estimated, and unknown is n/a.
func cost(u loop.Usage) string {
	if u.CostMicroUSD == nil {
		return "n/a"
	}
	source := u.CostSource
	if source == "estimated" {
		source = "est."
	}
	if source == "" {
		source = "source unknown"
	}
	return money.Show(*u.CostMicroUSD) + " (" + text.Line(source) + ")"
}

// costOf is the cost of some runs, and of how many of them nobody told any: a
// sum is not taken for all of it.
func costOf(u loop.Usage, unknown int) string {
	if unknown == 0 || u.CostMicroUSD == nil {
		return cost(u)
	}
	return cost(u) + ", n/a for " + text.Plural(unknown, "run")
}

// usageOf is what all runs of an attempt have used. Records of older versions
// know only the last.
func usageOf(a loop.Attempt) loop.Usage {
	if a.Runs == 0 {
		return a.Agent.Usage
	}
	return a.Usage
}

// spendable says what may be spent.
func spendable(b loop.Amounts) string {
	var parts []string
	if b.MoneyMicroUSD > 0 {
		parts = append(parts, money.Show(b.MoneyMicroUSD))
	}
	if b.Tokens > 0 {
		parts = append(parts, thousands(b.Tokens)+" tokens")
	}
	if b.Attempts > 0 {
		parts = append(parts, text.Plural(int(b.Attempts), "attempt"))
	}
	if b.Wall > 0 {
		parts = append(parts, text.Duration(b.Wall)+" of work")
	}
	return strings.Join(parts, ", ")
}

func names(agents []loop.Agent) []string {
	out := make([]string, len(agents))
	for i, a := range agents {
		out[i] = a.Name
	}
	return out
}

// tokens is the sum of what is known; n/a where nothing is.
func tokens(u loop.Usage) string {
	sum := u.TotalTokens()
	if sum == nil {
		return "n/a"
	}
	return thousands(*sum)
}

func thousands(n int64) string { return money.Count(n) }

// Used is what a run has used, as far as it is known: "" where nothing is.
func Used(u loop.Usage) string {
	var all []string
	if n := tokens(u); n != "n/a" {
		all = append(all, n+" tokens")
	}
	if u.CostMicroUSD != nil {
		all = append(all, cost(u))
	}
	return strings.Join(all, ", ")
}
