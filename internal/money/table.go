package money

import "maps"

// PricesOf is when the built-in prices were public list prices. Nothing updates
// them: a person overrides what has changed (prices: in ralph.yaml).
const PricesOf = "2025-11"

// row of the built-in table, in dollars for a million tokens. A negative cache
// price is none of its own: it costs what input does.
type row struct {
	models                           []string
	input, output, cacheRd, cacheWrt float64
}

// table lists only prices that were public and are well known. They are those
// for the standard tier and for short prompts; cache writes are those of the
// shortest time to live. Aliases such as "sonnet" are missing: they mean another
// model every year.
func table() []row {
	return []row{
		{[]string{"claude-opus-4-5"}, 5, 25, 0.50, 6.25},
		{[]string{"claude-opus-4-1", "claude-opus-4", "claude-opus-4-0"}, 15, 75, 1.50, 18.75},
		{[]string{"claude-sonnet-4-5", "claude-sonnet-4", "claude-sonnet-4-0", "claude-3-7-sonnet", "claude-3-5-sonnet"}, 3, 15, 0.30, 3.75},
		{[]string{"claude-haiku-4-5"}, 1, 5, 0.10, 1.25},
		{[]string{"claude-3-5-haiku"}, 0.80, 4, 0.08, 1.00},

		{[]string{"gpt-5", "gpt-5-codex", "gpt-5.1", "gpt-5.1-codex"}, 1.25, 10, 0.125, -1},
		{[]string{"gpt-5-mini", "gpt-5.1-codex-mini"}, 0.25, 2, 0.025, -1},
		{[]string{"gpt-5-nano"}, 0.05, 0.40, 0.005, -1},
		{[]string{"gpt-4.1"}, 2, 8, 0.50, -1},
		{[]string{"gpt-4.1-mini"}, 0.40, 1.60, 0.10, -1},
		{[]string{"gpt-4.1-nano"}, 0.10, 0.40, 0.025, -1},
		{[]string{"gpt-4o"}, 2.50, 10, 1.25, -1},
		{[]string{"gpt-4o-mini"}, 0.15, 0.60, 0.075, -1},
		{[]string{"o3"}, 2, 8, 0.50, -1},
		{[]string{"o4-mini"}, 1.10, 4.40, 0.275, -1},

		{[]string{"gemini-2.5-pro"}, 1.25, 10, 0.125, -1},
		{[]string{"gemini-2.5-flash"}, 0.30, 2.50, 0.03, -1},
		{[]string{"gemini-2.5-flash-lite"}, 0.10, 0.40, 0.01, -1},
		{[]string{"gemini-3-pro-preview"}, 2, 12, 0.20, -1},
	}
}

// Builtin are the prices that this program knows of itself, under those that a
// person has given.
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
