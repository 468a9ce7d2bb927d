package config

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// Money is an amount of US dollars above zero, in millionths.
type Money int64

const (
	moneyHint    = "write dollars, such as 5 USD or $0.50"
	moneyPattern = `^(\$ ?[0-9]+(\.[0-9]+)?|[0-9]+(\.[0-9]+)? ?(USD|usd))$`
	mostMoney    = 1_000_000
)

func (m *Money) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	v, p := dollars(s)
	*m = Money(v)
	return p
}

// dollars reads an amount with its currency: a bare number could be tokens.
func dollars(s string) (int64, *problem) {
	digits, found := strings.CutPrefix(s, "$")
	if !found {
		if digits, found = strings.CutSuffix(strings.ToUpper(s), "USD"); !found {
			return 0, problemf(moneyHint, "%s is not an amount of money", clip(s))
		}
	}
	v, p := decimal(strings.TrimSpace(digits), moneyHint)
	switch {
	case p != nil:
		return 0, p
	case v > mostMoney:
		return 0, problemf("write at most $1000000", "%s is too much", clip(s))
	case v < 1e-6:
		return 0, problemf(moneyHint, "%s is not above zero", clip(s))
	}
	return int64(math.Round(v * 1e6)), nil
}

// decimal reads digits with at most one point, and nothing else that a parser
// of numbers would take.
func decimal(s, hint string) (float64, *problem) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || strings.Trim(s, ".0123456789") != "" {
		return 0, problemf(hint, "%s is not a number", clip(s))
	}
	return v, nil
}

func (m *Money) String() string {
	if *m == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*m)/1e6, 'f', -1, 64) + " USD"
}
func (*Money) shape() string              { return "dollars" }
func (*Money) schema() *jsonschema.Schema { return patternSchema(moneyPattern) }

// Tokens is a number of tokens of every kind: 500k, 2M or plain digits.
type Tokens int64

const (
	tokensHint = "write a number of tokens, such as 500k or 2M"
	mostTokens = 1e12
)

func (k *Tokens) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	digits, unit := s, 1.0
	for suffix, u := range map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "G": 1e9} {
		if d, found := strings.CutSuffix(s, suffix); found {
			digits, unit = d, u
		}
	}
	v, p := decimal(digits, tokensHint)
	switch v *= unit; {
	case p != nil:
		return p
	case v < 1:
		return problemf(tokensHint, "%s is less than one token", clip(s))
	case v > mostTokens:
		return problemf("write less than 1000000M", "%s is too many", clip(s))
	}
	*k = Tokens(math.Round(v))
	return nil
}

func (k *Tokens) String() string {
	switch n := int64(*k); {
	case n == 0:
		return ""
	case n%1_000_000 == 0:
		return strconv.FormatInt(n/1_000_000, 10) + "M"
	case n%1000 == 0:
		return strconv.FormatInt(n/1000, 10) + "k"
	default:
		return strconv.FormatInt(n, 10)
	}
}
func (*Tokens) shape() string { return "tokens" }
func (*Tokens) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{patternSchema(`^[0-9]+(\.[0-9]+)?[kKmMG]?$`), {Type: "integer", Minimum: num(1)}}}
}

// Rate is a price in dollars for a million tokens; 0 is free.
type Rate struct {
	set   bool
	value float64
}

func (r *Rate) scan(n *yaml.Node) *problem {
	const hint = "write dollars for a million tokens, such as 3 or 0.25"
	s, p := scalar(n)
	if p != nil {
		return p
	}
	v, p := decimal(s, hint)
	if p == nil && v > 100_000 {
		p = problemf(hint, "%s is too dear to be true", clip(s))
	}
	*r = Rate{set: true, value: v}
	return p
}

func (r *Rate) String() string {
	if !r.set {
		return ""
	}
	return strconv.FormatFloat(r.value, 'f', -1, 64)
}
func (*Rate) shape() string { return "dollars for 1M tokens" }
func (*Rate) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "number", Minimum: num(0)}
}

// amounts returns the limits of one level.
func (b Spending) amounts() loop.Amounts {
	return loop.Amounts{
		MoneyMicroUSD: int64(b.Money), Tokens: int64(b.Tokens), Attempts: int64(b.Attempts.Int()), Wall: time.Duration(b.Wall),
	}
}

// BudgetOf returns what a session, a plan or a task may spend.
func (r *Resolved) BudgetOf(level loop.BudgetLevel) loop.Amounts {
	b := r.Settings.Budget
	switch level {
	case loop.SessionLevel:
		return b.Session.amounts()
	case loop.PlanLevel:
		return b.Plan.amounts()
	}
	return b.Task.amounts()
}

// BudgetPauses reports whether a loop whose budget is used up pauses instead of
// ending.
func (r *Resolved) BudgetPauses() bool { return r.Settings.Budget.OnSpent == "pause" }

// Prices returns the configured prices over the built-in ones.
func (r *Resolved) Prices() money.Prices {
	own := money.Prices{}
	for _, e := range r.Settings.Prices {
		p := money.Price{Input: money.Dollars(e.Value.Input.value), Output: money.Dollars(e.Value.Output.value)}
		if c := e.Value.CacheRead; c.set {
			p.CacheRead = new(money.Dollars(c.value))
		}
		if c := e.Value.CacheWrite; c.set {
			p.CacheWrite = new(money.Dollars(c.value))
		}
		own[e.Name] = p
	}
	return money.Builtin(own)
}

// Fallback returns the agents that may replace one whose usage limit is spent:
// those of the configuration, otherwise all others.
func (r *Resolved) Fallback(of string) []string {
	if own := r.Settings.Limits.Fallback; len(own) > 0 {
		return own
	}
	var out []string
	for _, e := range r.Settings.Agents {
		if e.Name != of && e.Value.Use != "human" {
			out = append(out, e.Name)
		}
	}
	return out
}

// OnUsageLimit returns what a loop of that agent does while its limit is spent.
func (r *Resolved) OnUsageLimit(agent string) loop.OnLimit {
	if a, found := r.Settings.Agents.Get(agent); found && a.OnUsageLimit != "" {
		return loop.OnLimit(a.OnUsageLimit)
	}
	return loop.OnLimit(r.Settings.Limits.OnUsageLimit)
}
