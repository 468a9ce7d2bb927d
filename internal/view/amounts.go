package view

import (
	"strings"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/text"
)

// kinds lists the tokens by kind, n/a where they are unknown.
func kinds(u loop.Usage) string {
	if u.TotalTokens() == nil {
		return "n/a"
	}
	var out []string
	for _, n := range []*int64{u.InputTokens, u.CacheReadTokens, u.OutputTokens} {
		words := "n/a"
		if n != nil {
			words = thousands(*n)
		}
		out = append(out, words)
	}
	return strings.Join(out, " / ")
}

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

// costOf returns the cost of some runs, and the number of runs without a
// reported cost, so that a partial sum is shown as such.
func costOf(u loop.Usage, unknown int) string {
	if unknown == 0 || u.CostMicroUSD == nil {
		return cost(u)
	}
	return cost(u) + ", n/a for " + text.Plural(unknown, "run")
}

// spendable describes what may be spent.
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

// tokens returns the sum of the known tokens, or n/a.
func tokens(u loop.Usage) string {
	sum := u.TotalTokens()
	if sum == nil {
		return "n/a"
	}
	return thousands(*sum)
}

func thousands(n int64) string { return money.Count(n) }

// Used returns the known usage of a run, or "".
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
