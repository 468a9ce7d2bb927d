package view

import (
	"fmt"
	"time"

	"ralph/internal/money"
	"ralph/internal/text"
)

// Meter is a limit and how much of it is used. Percent is at most 100.
type Meter struct {
	Name, Words string
	Percent     int
}

// meters are the loop's attempts, and the limits of the budgets that it is paid from.
func (l Loop) meters() []Meter {
	var out []Meter
	add := func(name string, used, limit int64, show func(int64) string) {
		if limit > 0 {
			out = append(out, Meter{name, show(used) + " of " + show(limit), int(min(max(used, 0), limit) * 100 / limit)})
		}
	}
	number := func(n int64) string { return fmt.Sprint(n) }
	add("attempts", int64(l.Made), int64(l.Spec.Limits.MaxIterations), number)
	for _, b := range l.Budgets {
		name := string(b.Level) + " budget: "
		add(name+"money", b.Used.MoneyMicroUSD, b.Limit.MoneyMicroUSD, money.Show)
		add(name+"tokens", b.Used.Tokens, b.Limit.Tokens, money.Count)
		add(name+"attempts", b.Used.Attempts, b.Limit.Attempts, number)
		add(name+"time", int64(b.Used.Wall), int64(b.Limit.Wall), func(n int64) string { return text.Duration(time.Duration(n)) })
	}
	return out
}
