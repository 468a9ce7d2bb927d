package loop

import "math"

// What agents say of themselves is a claim of a program that may be broken, or
// lie. A year of one model at its fastest is some 10¹⁰ tokens, and no run has
// cost what a house does: beyond these bounds, or below zero, an amount says
// nothing, which is not zero.
const (
	mostTokens   = 1_000_000_000_000
	mostMicroUSD = 1_000_000 * 1_000_000
	mostCalls    = 1_000_000_000
)

// impossible is an amount that Sound makes unknown. It stays what it is in sums,
// so that one such claim is not hidden by the next that is sound.
const impossible = -1

// MicroUSD is an amount of dollars in millionths. What cannot be one is
// impossible, see Usage.Sound.
func MicroUSD(dollars float64) *int64 {
	micro := math.Round(dollars * 1e6)
	if !(micro >= 0 && micro <= mostMicroUSD) {
		return new(int64(impossible))
	}
	return new(int64(micro))
}

// Sound is what can be believed of one run's usage. Where one kind of tokens is
// absurd, none of them is believed: half a sum would pass for all of it.
func (u Usage) Sound() Usage {
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.TotalTokens()} {
		if !within(n, mostTokens) {
			u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens = nil, nil, nil, nil
		}
	}
	if !within(u.CostMicroUSD, mostMicroUSD) {
		u.CostMicroUSD, u.CostSource = nil, ""
	}
	if !within(u.Turns, mostCalls) {
		u.Turns = nil
	}
	if !within(u.ToolCalls, mostCalls) {
		u.ToolCalls = nil
	}
	return u
}

// Costs says whether something is known to have been used.
func (u Usage) Costs() bool {
	for _, n := range []*int64{u.TotalTokens(), u.CostMicroUSD} {
		if n != nil && *n != 0 {
			return true
		}
	}
	return false
}

func within(n *int64, most int64) bool { return n == nil || *n >= 0 && *n <= most }

// plus never wraps: it stops at the largest number, and what is impossible stays
// so.
func plus(a, b *int64) *int64 {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case *a < 0 || *b < 0:
		return new(int64(impossible))
	case *a > math.MaxInt64-*b:
		return new(int64(math.MaxInt64))
	}
	return new(*a + *b)
}
