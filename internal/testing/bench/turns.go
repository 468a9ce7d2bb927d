package main

import (
	"context"
	"slices"
	"strings"
)

// side is one measurement.
type side func(ctx context.Context) (float64, error)

// series are the values of one side.
type series []float64

// turns measures the sides one after the other, for n rounds after a warm-up
// round.
func (b *bench) turns(ctx context.Context, n int, sides ...side) ([]series, error) {
	all := make([]series, len(sides))
	for round := range n + 1 {
		for i, measure := range sides {
			v, err := measure(ctx)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				all[i] = append(all[i], v)
			}
		}
		b.say("  %d/%d%s", round, n, latest(all))
	}
	return all, nil
}

func latest(all []series) string {
	var b strings.Builder
	for _, s := range all {
		if len(s) > 0 {
			b.WriteString("  " + figures(s[len(s)-1]))
		}
	}
	return b.String()
}

// median is the middle value; of an even number the mean of the two.
func (s series) median() float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}
