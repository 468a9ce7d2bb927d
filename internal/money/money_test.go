package money

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ralph/internal/loop"
)

func TestFind(t *testing.T) {
	t.Parallel()
	p := Builtin(Prices{"mine": {Input: 1, Output: 2}, "gpt-5": {Input: 7, Output: 7}})
	for model, input := range map[string]int64{
		"claude-sonnet-4-5": 3_000_000, "claude-sonnet-4-5-20250929": 3_000_000, "anthropic/claude-sonnet-4-5": 3_000_000,
		"claude-sonnet-4-5[1m]": 3_000_000, "CLAUDE-3-7-SONNET-LATEST": 3_000_000, "gpt-4o-2024-08-06": 2_500_000,
		"openai/gpt-5-mini": 250_000, "mine": 1, "gpt-5": 7,
		// The whole name counts, not the beginning that another model has too.
		"gpt-5-codex": 1_250_000, "gpt-5.4-mini-2026-03-17": 750_000, "claude-opus-5": 5_000_000, "claude-opus-5-5": 4_000_000,
		"claude-opus-4-1-20250805": 15_000_000, "models/gemini-2.5-flash-lite": 100_000,
	} {
		if got, found := p.Find(model); !found || got.Input != input {
			t.Errorf("%s: %+v, %t", model, got, found)
		}
	}
	for _, unknown := range []string{"", "sonnet", "gpt-5-ultra", "claude-sonnet-4-5-turbo", "/"} {
		if got, found := p.Find(unknown); found {
			t.Errorf("%q: %+v", unknown, got)
		}
	}
}

// TestTable: sorted as it says, no model twice, and no price that cannot be.
func TestTable(t *testing.T) {
	t.Parallel()
	seen, last := map[string]bool{}, ""
	for _, r := range table() {
		if r.models[0] < last {
			t.Errorf("%s stands behind %s", r.models[0], last)
		}
		last = r.models[0]
		for _, m := range r.models {
			if seen[m] || m != strings.ToLower(m) || undated(base(m)) != m {
				t.Errorf("%q is there twice, or is no name to be found by", m)
			}
			seen[m] = true
			got, found := Builtin(nil).Find(m)
			if !found || got.Input != Dollars(r.input) || got.Output != Dollars(r.output) {
				t.Errorf("%s is found as %+v", m, got)
			}
		}
		// Output costs four to ten times what input does; nobody sells cheaper
		// from the cache than a twentieth, or dearer than half.
		if r.input <= 0 || r.output < 4*r.input || r.output > 10*r.input {
			t.Errorf("%s: input %g, output %g", last, r.input, r.output)
		}
		if r.cacheRd >= 0 && (r.cacheRd < r.input/20 || r.cacheRd > r.input/2) {
			t.Errorf("%s: %g from the cache, input %g", last, r.cacheRd, r.input)
		}
		if r.cacheWrt >= 0 && math.Abs(r.cacheWrt-1.25*r.input) > 1e-9 {
			t.Errorf("%s: %g into the cache, input %g", last, r.cacheWrt, r.input)
		}
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	p := Prices{"m": {Input: Dollars(3), Output: Dollars(15), CacheRead: new(Dollars(0.3))}}
	n := func(v int64) *int64 { return &v }
	for name, tt := range map[string]struct {
		u     loop.Usage
		model string
		want  *int64
	}{
		"all kinds":           {loop.Usage{InputTokens: n(1000), OutputTokens: n(100), CacheReadTokens: n(10_000), CacheWriteTokens: n(1000)}, "m", n(3000 + 1500 + 3000 + 3000)},
		"nothing used":        {loop.Usage{InputTokens: n(0), OutputTokens: n(0)}, "m", n(0)},
		"one token":           {loop.Usage{InputTokens: n(0), OutputTokens: n(1)}, "m", n(15)},
		"output unknown":      {loop.Usage{InputTokens: n(1000)}, "m", nil},
		"model unknown":       {loop.Usage{InputTokens: n(1000), OutputTokens: n(1)}, "x", nil},
		"nothing known":       {loop.Usage{}, "m", nil},
		"what is said stands": {loop.Usage{InputTokens: n(1000), OutputTokens: n(1), CostMicroUSD: n(5), CostSource: Reported}, "m", n(5)},
		"absurd":              {loop.Usage{InputTokens: n(math.MaxInt64), OutputTokens: n(-5)}, "m", n(mostTokens * 3)},
	} {
		got := p.Estimate(tt.u, tt.model)
		if (got.CostMicroUSD == nil) != (tt.want == nil) || tt.want != nil && *got.CostMicroUSD != *tt.want {
			t.Errorf("%s: %v", name, got.CostMicroUSD)
		}
		if tt.want != nil && name != "what is said stands" && got.CostSource != Estimated {
			t.Errorf("%s: an estimate is called %q", name, got.CostSource)
		}
	}
}

// TestNoBudgetIsOvercommitted: what is used and held, with what one more run
// reserves, is never more than the limit.
func TestNoBudgetIsOvercommitted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		any := rapid.Int64Range(0, 1000)
		b := Balance{
			Level:   loop.TaskLevel,
			Limit:   loop.Amounts{MoneyMicroUSD: any.Draw(t, "money"), Tokens: any.Draw(t, "tokens"), Attempts: any.Draw(t, "attempts")},
			Used:    loop.Amounts{MoneyMicroUSD: any.Draw(t, "used"), Tokens: any.Draw(t, "used tokens"), Attempts: any.Draw(t, "used attempts")},
			Held:    loop.Amounts{MoneyMicroUSD: any.Draw(t, "held"), Tokens: any.Draw(t, "held tokens"), Attempts: any.Draw(t, "held attempts")},
			Dearest: loop.Amounts{MoneyMicroUSD: any.Draw(t, "dearest"), Tokens: any.Draw(t, "dearest tokens")}, Open: rapid.IntRange(0, 2).Draw(t, "open"),
		}
		hold, v, which := b.Ask()
		if (v == Go) != (which == "") || v != Go && hold.Any() {
			t.Fatalf("%d %q holds %+v", v, which, hold)
		}
		if v == Busy && b.Open == 0 {
			t.Fatal("it would wait for nobody")
		}
		for _, p := range []struct{ limit, used, held, hold int64 }{
			{b.Limit.MoneyMicroUSD, b.Used.MoneyMicroUSD, b.Held.MoneyMicroUSD, hold.MoneyMicroUSD},
			{b.Limit.Tokens, b.Used.Tokens, b.Held.Tokens, hold.Tokens},
			{b.Limit.Attempts, b.Used.Attempts, b.Held.Attempts, hold.Attempts},
		} {
			if v == Go && p.limit > 0 && (p.used+p.held+p.hold > p.limit || p.hold == 0) {
				t.Fatalf("%+v", p)
			}
		}
		if v == Go && (b.Limit.MoneyMicroUSD > 0 && hold.MoneyMicroUSD < b.Dearest.MoneyMicroUSD || b.Limit.Tokens > 0 && hold.Tokens < b.Dearest.Tokens) {
			t.Fatalf("it holds %+v, less than the dearest has used", hold)
		}
	})
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		limit, used, held, dearest loop.Amounts
		want                       string
	}{
		"all of it": {loop.Amounts{MoneyMicroUSD: 100}, loop.Amounts{MoneyMicroUSD: 120}, loop.Amounts{}, loop.Amounts{}, "used up: $0.0001 of $0.0001 (120 %) of this task's budget"},
		"too little": {
			loop.Amounts{MoneyMicroUSD: 5_100_000},
			loop.Amounts{MoneyMicroUSD: 5_000_000},
			loop.Amounts{},
			loop.Amounts{MoneyMicroUSD: 5_000_000},
			"too little is left for another attempt: $0.10 left, and the dearest run so far cost $5.00; used: $5.00 of $5.10 (98 %) of this task's budget",
		},
		"too few tokens": {
			loop.Amounts{Tokens: 100_000},
			loop.Amounts{Tokens: 60_000},
			loop.Amounts{},
			loop.Amounts{Tokens: 50_000},
			"too little is left for another attempt: 40k tokens left, and the dearest run so far used 50k; used: 60k of 100k tokens (60 %) of this task's budget",
		},
		"held by the dead": {
			loop.Amounts{MoneyMicroUSD: 3_000_000},
			loop.Amounts{MoneyMicroUSD: 1_000_000},
			loop.Amounts{MoneyMicroUSD: 1_500_000},
			loop.Amounts{MoneyMicroUSD: 1_000_000},
			"used up: $1.00 of $3.00 (33 %) of this task's budget; an attempt whose process died may have used the rest",
		},
		"the last cent of a first run": {loop.Amounts{MoneyMicroUSD: 3_000_000}, loop.Amounts{MoneyMicroUSD: 2_990_000}, loop.Amounts{}, loop.Amounts{}, ""},
	} {
		b := Balance{Level: loop.TaskLevel, Limit: tt.limit, Used: tt.used, Held: tt.held, Dearest: tt.dearest}
		_, v, part := b.Ask()
		got := ""
		if v != Go {
			got = (&RefusedError{Balance: b, Part: part, Verdict: v}).Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q\nwant %q", name, got, tt.want)
		}
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "$0.00", 1: "$0.000001", 99: "$0.000099", 100: "$0.0001", 9999: "$0.0100", 10_000: "$0.01", 5_100_000: "$5.10"} {
		if got := Show(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	b := Balance{
		Level: loop.PlanLevel, Limit: loop.Amounts{MoneyMicroUSD: 5_000_000, Tokens: 2_000_000, Attempts: 10},
		Used: loop.Amounts{MoneyMicroUSD: 4_100_000, Tokens: 81_000, Attempts: 3},
	}
	if got := b.Line(); got != "$4.10 of $5.00, 81k of 2.0M tokens, 3 of 10 attempts" {
		t.Error(got)
	}
	if w := b.Warnings(); len(w) != 1 || w[0].Budget != "plan money" || w[0].Message != "$4.10 of $5.00 (82 %) of this plan's budget" {
		t.Errorf("%+v", w)
	}
	b.Held = loop.Amounts{MoneyMicroUSD: 500_000, Attempts: 1}
	if got := b.Line(); got != "$4.10 of $5.00 (and $0.50 reserved), 81k of 2.0M tokens, 3 of 10 attempts (and 1 reserved)" {
		t.Error(got)
	}
	b.AssumedMicroUSD = 1
	if got := b.Describe("money"); got != "about $4.10 of $5.00 (82 %) of this plan's budget" {
		t.Error(got)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1k", 1099: "1k", 1100: "1.1k", 3499: "3.4k", 9999: "9.9k", 10_000: "10k",
		42_900: "42k", 999_999: "999k", 1_000_000: "1.0M", 1_540_000: "1.5M",
	} {
		if got := Count(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
