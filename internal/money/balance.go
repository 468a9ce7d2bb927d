package money

import (
	"fmt"
	"time"

	"ralph/internal/loop"
)

// Balance is how a budget stands.
type Balance struct {
	Level loop.BudgetLevel `json:"level"`
	// ID is the loop's, the plan's or the session's.
	ID    string       `json:"id"`
	Limit loop.Amounts `json:"limit"`
	Used  loop.Amounts `json:"used"`
	// Held is reserved by runs under way.
	Held loop.Amounts `json:"held"`
	// AssumedMicroUSD and AssumedTokens are the part of Used that was
	// not reported: the reservations of runs without a reported cost.
	AssumedMicroUSD int64 `json:"assumed_micro_usd,omitempty"`
	AssumedTokens   int64 `json:"assumed_tokens,omitempty"`

	// Dearest run so far of the agent to start, and of any agent, as far as
	// reported; Open are the runs under way whose process lives.
	Dearest, Anybody loop.Amounts `json:"-"`
	Open             int          `json:"-"`
}

// Verdict on one more run.
type Verdict int

// It may begin; runs under way hold what is left; the budget is used up.
const (
	Go Verdict = iota
	Busy
	Spent
)

// part of a budget.
type part struct {
	name              string
	limit, used, held int64
	// want is what the next run is to reserve; guessed: none of its agent has
	// ended yet that it could be compared with.
	want    int64
	guessed bool
}

// left of the part for those that hold nothing of it yet.
func (p part) left() int64 { return p.limit - p.used }

// beyond reports whether the next run would cost more than is left, whatever those
// under way come to.
func (p part) beyond() bool { return !p.guessed && p.want > p.left() }

func (b Balance) parts() []part {
	l, u, h, d, a := b.Limit, b.Used, b.Held, b.Dearest, b.Anybody
	return []part{
		{"money", l.MoneyMicroUSD, u.MoneyMicroUSD, h.MoneyMicroUSD, likely(d.MoneyMicroUSD, a.MoneyMicroUSD, l.MoneyMicroUSD), d.MoneyMicroUSD <= 0},
		{"tokens", l.Tokens, u.Tokens, h.Tokens, likely(d.Tokens, a.Tokens, l.Tokens), d.Tokens <= 0},
		{"attempts", l.Attempts, u.Attempts, h.Attempts, 1, false},
		{"wall", int64(l.Wall), int64(u.Wall), 0, 0, false},
	}
}

// part of that name; the zero part where there is none.
func (b Balance) part(name string) part {
	for _, p := range b.parts() {
		if p.name == name {
			return p
		}
	}
	return part{}
}

// likely is what the next run may use: as much as the dearest before it, of its
// agent or else of anybody, or a tenth of all where none has ended.
func likely(dearest, anybody, limit int64) int64 {
	if dearest <= 0 {
		dearest = anybody
	}
	if dearest > 0 {
		return dearest
	}
	return max(limit/10, min(limit, 1))
}

// Ask reports whether one more run may begin, what it reserves, and why
// not. Which is the part that refuses.
func (b Balance) Ask() (hold loop.Amounts, v Verdict, which string) {
	held := map[string]int64{}
	for _, p := range b.parts() {
		if p.limit <= 0 {
			continue
		}
		free := p.left() - p.held
		switch {
		case p.left() <= 0, p.beyond():
			return loop.Amounts{}, Spent, p.name
		case p.want <= free:
			held[p.name] = p.want
		case b.Open == 0 && p.guessed && free > 0:
			held[p.name] = free
		case b.Open == 0:
			// Only what died runs hold is in the way: it counts as spent.
			return loop.Amounts{}, Spent, p.name
		case v == Go:
			v, which = Busy, p.name
		}
	}
	if v != Go {
		return loop.Amounts{}, v, which
	}
	return loop.Amounts{MoneyMicroUSD: held["money"], Tokens: held["tokens"], Attempts: held["attempts"]}, Go, ""
}

// TimeLeft is how long agents may still work; 0 is no bound.
func (b Balance) TimeLeft() time.Duration {
	if b.Limit.Wall <= 0 {
		return 0
	}
	return max(b.Limit.Wall-b.Used.Wall, time.Nanosecond)
}

// WarnAt is the part of a budget, in per cent, from which on a person is warned.
const WarnAt = 80

// Warning is that most of a part of a budget is used.
type Warning struct{ Budget, Message string }

// Warnings are those that are due, one for each part.
func (b Balance) Warnings() []Warning {
	var out []Warning
	for _, p := range b.parts() {
		if p.limit > 0 && float64(p.used) >= float64(p.limit)*WarnAt/100 {
			out = append(out, Warning{string(b.Level) + " " + p.name, b.Describe(p.name)})
		}
	}
	return out
}

// Describe returns the state of a part of the budget: "$4.10 of $5.00 (82 %) of this
// task's budget".
func (b Balance) Describe(name string) string {
	for _, p := range b.parts() {
		if p.name != name || p.limit <= 0 {
			continue
		}
		return fmt.Sprintf("%s (%d %%) of this %s's budget", b.said(p), int(float64(p.used)*100/float64(p.limit)), b.Level)
	}
	return ""
}

// Line describes all of it, with what is reserved on top of what was used:
// "$1.92 of $5.00 (and $0.50 reserved), 3 of 10 attempts".
func (b Balance) Line() string {
	line := ""
	for _, p := range b.parts() {
		if p.limit <= 0 {
			continue
		}
		if line != "" {
			line += ", "
		}
		line += b.said(p)
		if p.held > 0 {
			line += " (and " + p.word(p.held) + " reserved)"
		}
	}
	return line
}

// said is "3 of 10 attempts".
func (b Balance) said(p part) string {
	words := b.pair(p)
	switch p.name {
	case "tokens", "attempts":
		words += " " + p.name
	case "wall":
		words += " at work"
	}
	return words
}

// word is an amount of the part.
func (p part) word(n int64) string {
	switch p.name {
	case "money":
		return Show(n)
	case "wall":
		return time.Duration(n).Round(time.Second).String()
	case "tokens":
		return Count(n)
	}
	return fmt.Sprint(n)
}

func (b Balance) pair(p part) string {
	used := p.word(p.used)
	if p.name == "money" && b.AssumedMicroUSD > 0 || p.name == "tokens" && b.AssumedTokens > 0 {
		used = "about " + used
	}
	return used + " of " + p.word(p.limit)
}

// RefusedError: a budget has no room for one more run.
type RefusedError struct {
	Balance Balance
	Part    string
	// Verdict is Busy, while runs under way hold what is left, or Spent.
	Verdict Verdict
}

func (e *RefusedError) Error() string {
	p, words := e.Balance.part(e.Part), e.Balance.Describe(e.Part)
	switch {
	case e.Verdict == Busy:
		return "attempts under way have reserved what is left: " + words
	case p.left() <= 0:
		return "used up: " + words
	case p.beyond():
		return "too little is left: " + p.tooLittle() + ": " + words
	}
	return "used up: " + words + "; an attempt whose process died may have used the rest"
}

// tooLittle is "$0.10 left of $5.10, the dearest run so far cost $5.00".
func (p part) tooLittle() string {
	of, cost := "", "cost "+p.word(p.want)
	if p.name == "tokens" {
		of, cost = " tokens", "used "+p.word(p.want)
	}
	return p.word(p.left()) + " left of " + p.word(p.limit) + of + ", the dearest run so far " + cost
}

// Name of the budget that refuses, as in "plan money".
func (e *RefusedError) Name() string { return string(e.Balance.Level) + " " + e.Part }

// Session is what one process may spend, over all that it runs. A process that
// was started by a supervisor belongs to that one's session.
type Session struct {
	ID     string
	Budget loop.Amounts
}
