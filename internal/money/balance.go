package money

import (
	"fmt"
	"time"

	"ralph/internal/loop"
)

// Balance is the state of a budget.
type Balance struct {
	Level loop.BudgetLevel `json:"level"`
	// ID of the loop, the plan or the session.
	ID    string       `json:"id"`
	Limit loop.Amounts `json:"limit"`
	Used  loop.Amounts `json:"used"`
	// Held is reserved for active runs.
	Held loop.Amounts `json:"held"`
	// AssumedMicroUSD and AssumedTokens are the part of Used that was
	// not reported: the reservations of runs without a reported cost.
	AssumedMicroUSD int64 `json:"assumed_micro_usd,omitempty"`
	AssumedTokens   int64 `json:"assumed_tokens,omitempty"`

	// Dearest and Anybody are the most expensive run so far of the agent to
	// start, and of any agent, as far as reported; Open counts the active runs
	// whose process lives.
	Dearest, Anybody loop.Amounts `json:"-"`
	Open             int          `json:"-"`
}

// Verdict on one more run.
type Verdict int

// The run may begin; active runs reserve the rest; the budget is spent.
const (
	Go Verdict = iota
	Busy
	Spent
)

// part of a budget.
type part struct {
	name              string
	limit, used, held int64
	// want is the reservation of the next run; guessed: no run of its agent has
	// ended yet to compare with.
	want    int64
	guessed bool
}

// left returns the rest of the part for runs without a reservation.
func (p part) left() int64 { return p.limit - p.used }

// beyond reports whether the next run would cost more than is left, whatever
// active runs will cost.
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

// part returns the part of that name, or the zero part.
func (b Balance) part(name string) part {
	for _, p := range b.parts() {
		if p.name == name {
			return p
		}
	}
	return part{}
}

// likely returns the probable cost of the next run: that of the most expensive
// run before it, of its agent or else of any agent, or a tenth of the limit if
// none has ended.
func likely(dearest, anybody, limit int64) int64 {
	if dearest <= 0 {
		dearest = anybody
	}
	if dearest > 0 {
		return dearest
	}
	return max(limit/10, min(limit, 1))
}

// Ask reports whether one more run may begin, its reservation, and the part
// that refuses it.
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
			// Only reservations of runs that died are in the way: they count as
			// spent.
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

// TimeLeft returns how long agents may still work; 0 is unlimited.
func (b Balance) TimeLeft() time.Duration {
	if b.Limit.Wall <= 0 {
		return 0
	}
	return max(b.Limit.Wall-b.Used.Wall, time.Nanosecond)
}

// WarnAt is the percentage of a budget that causes a warning.
const WarnAt = 80

// Warning: most of a part of a budget is used.
type Warning struct{ Budget, Message string }

// Warnings returns the warnings to show, one for each part.
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

// Line describes all parts, with reservations: "$1.92 of $5.00 (and $0.50
// reserved), 3 of 10 attempts".
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

// said returns text such as "3 of 10 attempts".
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

// word formats an amount of the part.
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

// RefusedError is returned when a budget has no room for one more run.
type RefusedError struct {
	Balance Balance
	Part    string
	// Verdict is Busy while active runs reserve the rest, else Spent.
	Verdict Verdict
}

func (e *RefusedError) Error() string {
	p, words := e.Balance.part(e.Part), e.Balance.Describe(e.Part)
	switch {
	case e.Verdict == Busy:
		return "running attempts have reserved the rest: " + words
	case p.left() <= 0:
		return "used up: " + words
	case p.beyond():
		return "too little is left for another attempt: " + p.tooLittle() + "; used: " + words
	}
	return "used up: " + words + "; an attempt whose process died may have used the rest"
}

// tooLittle returns text such as "$0.10 left of $5.10, the dearest run so far
// cost $5.00".
func (p part) tooLittle() string {
	of, cost := "", "cost "+p.word(p.want)
	if p.name == "tokens" {
		of, cost = " tokens", "used "+p.word(p.want)
	}
	return p.word(p.left()) + of + " left, and the dearest run so far " + cost
}

// Name returns the name of the refusing budget, such as "plan money".
func (e *RefusedError) Name() string { return string(e.Balance.Level) + " " + e.Part }

// Session is the budget of one process for all that it runs. A process that a
// supervisor started belongs to the supervisor's session.
type Session struct {
	ID     string
	Budget loop.Amounts
}
