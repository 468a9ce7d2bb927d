package money

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// Price of a model in millionths of a dollar for a million tokens. Nil parts
// cost as much as input: caches never cost more than that.
type Price struct {
	Input, Output         int64
	CacheRead, CacheWrite *int64
}

// Dollars returns a price of that many dollars for a million tokens.
func Dollars(perMillion float64) int64 { return int64(math.Round(perMillion * 1e6)) }

// Prices of models by name, in lower case.
type Prices map[string]Price

// Find returns the price of a model by the name that its program uses: with a
// provider before it, with a date or "latest" after it.
func (p Prices) Find(model string) (Price, bool) {
	name := strings.ToLower(strings.TrimSpace(model))
	for _, candidate := range []string{name, base(name), undated(base(name))} {
		if price, ok := p[candidate]; ok && candidate != "" {
			return price, true
		}
	}
	return Price{}, false
}

// base returns the name without providers: anthropic/claude-x, models/gemini-y.
func base(name string) string {
	name = name[strings.LastIndex(name, "/")+1:]
	return strings.TrimSuffix(name, "[1m]")
}

// dated matches the suffixes of versions of one model.
var dated = lazyregexp.New(`(-latest|-\d{8}|-\d{4}-\d{2}-\d{2}|@\d{8})$`)

func undated(name string) string { return dated.ReplaceAllString(name, "") }

// mostTokens keeps products far from overflow; no run has used so many.
const mostTokens = 10_000_000_000

// Cost returns the cost of the usage in millionths of a dollar, rounded up. It
// returns false if input or output is unknown.
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

// Estimate fills in the cost of a run that reported none. Costs that cannot be
// estimated stay unknown.
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

// PricesOf is when the built-in prices were public list prices. Nothing updates
// them: a person overrides what has changed (prices: in ralph.yaml).
//
// They are those of LiteLLM's public table (model_prices_and_context_window.json
// of BerriAI/litellm, as it was in July 2026). What providers have published from
// then until September is marked "later"; prices for a time only are left out.
const PricesOf = "2026-09"

// row of the built-in table, in dollars for a million tokens. A negative cache
// price means the price of input.
type row struct {
	models                           []string
	input, output, cacheRd, cacheWrt float64
}

// table has the models that the usual agents work with, sorted by provider and
// name. Prices are those for the standard tier and for short prompts; cache
// writes are those of the shortest time to live. Aliases such as "sonnet" are
// missing: they mean another model every year.
func table() []row {
	return []row{
		{[]string{"claude-3-7-sonnet"}, 3, 15, 0.30, 3.75},
		{[]string{"claude-fable-5"}, 10, 50, 1, 12.50},
		{[]string{"claude-haiku-4-5"}, 1, 5, 0.10, 1.25},
		{[]string{"claude-opus-4", "claude-opus-4-0", "claude-opus-4-1"}, 15, 75, 1.50, 18.75},
		{[]string{"claude-opus-4-5", "claude-opus-4-6", "claude-opus-4-7", "claude-opus-4-8"}, 5, 25, 0.50, 6.25},
		{[]string{"claude-opus-5"}, 5, 25, 0.50, 6.25}, // later: July 24
		{[]string{"claude-opus-5-5"}, 4, 20, 0.20, 5},  // later: September 23
		{[]string{"claude-sonnet-4", "claude-sonnet-4-0", "claude-sonnet-4-5", "claude-sonnet-4-6"}, 3, 15, 0.30, 3.75},
		{[]string{"claude-sonnet-5"}, 2, 10, 0.20, 2.50},

		{[]string{"gemini-2.5-flash"}, 0.30, 2.50, 0.03, -1},
		{[]string{"gemini-2.5-flash-lite"}, 0.10, 0.40, 0.01, -1},
		{[]string{"gemini-2.5-pro"}, 1.25, 10, 0.125, -1},
		{[]string{"gemini-3-flash-preview"}, 0.50, 3, 0.05, -1},
		{[]string{"gemini-3-pro-preview", "gemini-3.1-pro-preview", "gemini-3.1-pro-preview-customtools"}, 2, 12, 0.20, -1},
		{[]string{"gemini-3.1-flash-lite", "gemini-3.1-flash-lite-preview"}, 0.25, 1.50, 0.025, -1},
		{[]string{"gemini-3.5-flash"}, 1.50, 9, 0.15, -1},
		{[]string{"gemini-3.5-flash-lite"}, 0.30, 2.50, 0.03, -1},                // later: July 21
		{[]string{"gemini-3.7-flash", "gemini-3.8-flash"}, 1.50, 7.50, 0.15, -1}, // later: September; half of it until 2027

		{[]string{"gpt-4.1"}, 2, 8, 0.50, -1},
		{[]string{"gpt-4.1-mini"}, 0.40, 1.60, 0.10, -1},
		{[]string{"gpt-4.1-nano"}, 0.10, 0.40, 0.025, -1},
		{[]string{"gpt-4o"}, 2.50, 10, 1.25, -1},
		{[]string{"gpt-4o-mini"}, 0.15, 0.60, 0.075, -1},
		{[]string{"gpt-5", "gpt-5-codex", "gpt-5.1", "gpt-5.1-codex", "gpt-5.1-codex-max"}, 1.25, 10, 0.125, -1},
		{[]string{"gpt-5-mini", "gpt-5.1-codex-mini"}, 0.25, 2, 0.025, -1},
		{[]string{"gpt-5-nano"}, 0.05, 0.40, 0.005, -1},
		{[]string{"gpt-5-pro"}, 15, 120, -1, -1},
		{[]string{"gpt-5.2", "gpt-5.2-codex", "gpt-5.3-codex"}, 1.75, 14, 0.175, -1},
		{[]string{"gpt-5.2-pro"}, 21, 168, -1, -1},
		{[]string{"gpt-5.4"}, 2.50, 15, 0.25, -1},
		{[]string{"gpt-5.4-mini"}, 0.75, 4.50, 0.075, -1},
		{[]string{"gpt-5.4-nano"}, 0.20, 1.25, 0.02, -1},
		{[]string{"gpt-5.4-pro", "gpt-5.5-pro"}, 30, 180, 3, -1},
		{[]string{"gpt-5.5"}, 5, 30, 0.50, -1},
		{[]string{"gpt-5.6", "gpt-5.6-sol"}, 5, 30, 0.50, 6.25},
		{[]string{"gpt-5.6-luna"}, 0.20, 1.20, 0.02, 0.25}, // later: July 30
		{[]string{"gpt-5.6-terra"}, 2, 12, 0.20, 2.50},     // later: July 30
		{[]string{"gpt-6-astra"}, 10, 50, 1, 12.50},        // later: September 3
		{[]string{"gpt-6-luna"}, 0.10, 0.50, -1, 0.125},    // later: September 22; cache reads are not known
		{[]string{"gpt-6-sol"}, 2, 10, -1, 2.50},           // later: September 22; cache reads are not known
		{[]string{"o3"}, 2, 8, 0.50, -1},
		{[]string{"o4-mini"}, 1.10, 4.40, 0.275, -1},
	}
}

// Builtin returns the built-in prices, overridden by the given ones.
func Builtin(own Prices) Prices {
	all := Prices{}
	for _, r := range table() {
		for _, m := range r.models {
			all[m] = Price{Dollars(r.input), Dollars(r.output), cache(r.cacheRd), cache(r.cacheWrt)}
		}
	}
	maps.Copy(all, own)
	return all
}

func cache(dollars float64) *int64 {
	if dollars < 0 {
		return nil
	}
	return new(Dollars(dollars))
}

// Show formats an amount in dollars. Amounts below a cent, or a hundredth of
// one, are not shown as zero.
func Show(microUSD int64) string {
	dollars := float64(microUSD) / 1e6
	if microUSD > 0 && microUSD < 100 {
		return fmt.Sprintf("$%.6f", dollars)
	}
	if microUSD >= 100 && microUSD < 10_000 {
		return fmt.Sprintf("$%.4f", dollars)
	}
	return fmt.Sprintf("$%.2f", dollars)
}

// Count formats a number of tokens: 812, 3.5k, 42k, 1.5M.
func Count(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 10_000 && n%1000 >= 100:
		return fmt.Sprintf("%d.%dk", n/1000, n%1000/100)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
