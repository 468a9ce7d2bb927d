package money

import (
	"math"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// Price of a model in millionths of a dollar for a million tokens. Nil parts
// cost what input does: caches are never dearer to guess high.
type Price struct {
	Input, Output         int64
	CacheRead, CacheWrite *int64
}

// Dollars is a price of so many dollars for a million tokens.
func Dollars(perMillion float64) int64 { return int64(math.Round(perMillion * 1e6)) }

// Prices of models by name, in lower case.
type Prices map[string]Price

// Find is the price of a model as its program calls it: with the name of a
// provider before it, with a date or "latest" behind it.
func (p Prices) Find(model string) (Price, bool) {
	name := strings.ToLower(strings.TrimSpace(model))
	for _, candidate := range []string{name, base(name), undated(base(name))} {
		if price, ok := p[candidate]; ok && candidate != "" {
			return price, true
		}
	}
	return Price{}, false
}

// base is the name without providers: anthropic/claude-x, models/gemini-y.
func base(name string) string {
	name = name[strings.LastIndex(name, "/")+1:]
	return strings.TrimSuffix(name, "[1m]")
}

// dated is what stands behind the name of one and the same model.
var dated = lazyregexp.New(`(-latest|-\d{8}|-\d{4}-\d{2}-\d{2}|@\d{8})$`)

func undated(name string) string { return dated.ReplaceAllString(name, "") }

// mostTokens keeps products far from overflow; no run has used so many.
const mostTokens = 10_000_000_000

// Cost of what was used, in millionths of a dollar, rounded up. False: input or
// output is unknown, so nothing can be said.
func (p Price) Cost(u loop.Usage) (int64, bool) {
	if u.InputTokens == nil || u.OutputTokens == nil {
		return 0, false
	}
	sum := 0.0
	for _, part := range []struct {
		tokens *int64
		price  int64
	}{
		{u.InputTokens, p.Input},
		{u.OutputTokens, p.Output},
		{u.CacheReadTokens, or(p.CacheRead, p.Input)},
		{u.CacheWriteTokens, or(p.CacheWrite, p.Input)},
	} {
		if part.tokens != nil {
			sum += float64(min(max(*part.tokens, 0), mostTokens)) * float64(part.price) / 1e6
		}
	}
	return int64(math.Ceil(math.Round(sum*1e3) / 1e3)), true
}

func or(p *int64, other int64) int64 {
	if p == nil {
		return other
	}
	return *p
}

// The sources of a cost.
const (
	Reported  = "reported"
	Estimated = "estimated"
)

// Estimate fills in the cost of a run that reported none. What cannot be known
// stays unknown.
func (p Prices) Estimate(u loop.Usage, model string) loop.Usage {
	if u.CostMicroUSD != nil {
		return u
	}
	price, known := p.Find(model)
	if !known {
		return u
	}
	if cost, ok := price.Cost(u); ok {
		u.CostMicroUSD, u.CostSource = &cost, Estimated
	}
	return u
}
