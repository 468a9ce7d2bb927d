package report

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
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
	dollars := float64(*u.CostMicroUSD) / 1e6
	if dollars >= 0.0001 && dollars < 0.01 {
		return fmt.Sprintf("$%.4f (%s)", dollars, line(source))
	}
	return fmt.Sprintf("$%.2f (%s)", dollars, line(source))
}

// tokens is the sum of what is known; n/a where nothing is.
func tokens(u loop.Usage) string {
	sum, known := int64(0), false
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens} {
		if n != nil {
			sum, known = sum+*n, true
		}
	}
	if !known {
		return "n/a"
	}
	return thousands(sum)
}

func thousands(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

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
