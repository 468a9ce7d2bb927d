package loop

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSound(t *testing.T) {
	t.Parallel()
	n := func(v int64) *int64 { return &v }
	for name, tt := range map[string]struct {
		u             Usage
		tokens, micro *int64
	}{
		"nothing":        {},
		"ordinary":       {Usage{InputTokens: n(5), CostMicroUSD: n(7)}, n(5), n(7)},
		"the most":       {Usage{InputTokens: n(mostTokens), CostMicroUSD: n(mostMicroUSD)}, n(mostTokens), n(mostMicroUSD)},
		"one more":       {Usage{InputTokens: n(mostTokens + 1), CostMicroUSD: n(mostMicroUSD + 1)}, nil, nil},
		"one kind of it": {Usage{InputTokens: n(-7), OutputTokens: n(50), CostMicroUSD: n(0)}, nil, n(0)},
		"largest":        {Usage{InputTokens: n(math.MaxInt64), OutputTokens: n(math.MaxInt64), CacheReadTokens: n(9)}, nil, nil},
		"all together":   {Usage{InputTokens: n(mostTokens), OutputTokens: n(1)}, nil, nil},
		"below zero":     {Usage{OutputTokens: n(3), CostMicroUSD: n(-3)}, n(3), nil},
	} {
		got := tt.u.Sound()
		if !sameAmount(got.TotalTokens(), tt.tokens) || !sameAmount(got.CostMicroUSD, tt.micro) {
			t.Errorf("%s: %v, %v", name, got.TotalTokens(), got.CostMicroUSD)
		}
	}
}

func sameAmount(a, b *int64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// TestUsageNeverWraps: whatever is claimed, what is believed lies within the
// bounds, sums of it do not fall, and no claim hides an absurd one.
func TestUsageNeverWraps(t *testing.T) {
	t.Parallel()
	any := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 100), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, mostTokens}))
	amount := rapid.Custom(func(t *rapid.T) *int64 { return new(any.Draw(t, "amount")) })
	claim := rapid.Custom(func(t *rapid.T) Usage {
		u := Usage{OutputTokens: amount.Draw(t, "output"), CostMicroUSD: amount.Draw(t, "cost"), CostSource: "reported"}
		if rapid.Bool().Draw(t, "input") {
			u.InputTokens = amount.Draw(t, "input tokens")
		}
		return u
	})
	rapid.Check(t, func(t *rapid.T) {
		var sum, raw Usage
		absurd := false
		for _, u := range rapid.SliceOfN(claim, 1, 6).Draw(t, "claims") {
			was := sum.CostMicroUSD
			raw, sum = raw.Add(u), sum.Add(u.Sound())
			absurd = absurd || *u.CostMicroUSD < 0
			if was != nil && *sum.CostMicroUSD < *was {
				t.Fatalf("a sum fell from %d to %d", *was, *sum.CostMicroUSD)
			}
			for _, n := range []*int64{sum.TotalTokens(), sum.CostMicroUSD} {
				if n != nil && *n < 0 {
					t.Fatalf("%d", *n)
				}
			}
		}
		if absurd && raw.Sound().CostMicroUSD != nil {
			t.Fatal("an absurd cost is believed")
		}
	})
}

func FuzzMicroUSD(f *testing.F) {
	for _, v := range []float64{0, 0.5, -3, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1e6, 1e6 + 1, -1e-18} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		got := Usage{CostMicroUSD: MicroUSD(v)}.Sound().CostMicroUSD
		if sane := v >= 0 && v <= 1e6; sane && got == nil || !(v > -1e-6 && v < 1e6+1e-6) && got != nil {
			t.Errorf("%g: %v", v, got)
		}
		if got != nil && (*got < 0 || math.Abs(float64(*got)-v*1e6) > 1) {
			t.Errorf("%g: %d", v, *got)
		}
	})
}
