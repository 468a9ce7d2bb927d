package runs

import (
	"testing"

	"ralph/internal/loop"
)

// TestRaise: an amount replaces the limit, or is added to it after a plus sign;
// the level is the one that is named, else the given one.
func TestRaise(t *testing.T) {
	t.Parallel()
	have := loop.Amounts{MoneyMicroUSD: 2_000_000, Tokens: 100}
	for _, c := range []struct {
		value string
		level loop.BudgetLevel
		want  loop.Amounts
		shown string
	}{
		{"5USD", loop.TaskLevel, loop.Amounts{MoneyMicroUSD: 5_000_000, Tokens: 100}, "5USD"},
		{"+5USD", loop.TaskLevel, loop.Amounts{MoneyMicroUSD: 7_000_000, Tokens: 100}, "+5USD"},
		{"tokens=+20", loop.TaskLevel, loop.Amounts{MoneyMicroUSD: 2_000_000, Tokens: 120}, "tokens=+20"},
		{"plan.money=+1USD", loop.PlanLevel, loop.Amounts{MoneyMicroUSD: 3_000_000, Tokens: 100}, "+1USD"},
	} {
		r, err := raisedBy(c.value, loop.TaskLevel)
		if err != nil {
			t.Errorf("%s: %v", c.value, err)
			continue
		}
		if got := r.Over(have); r.Level != c.level || got != c.want || r.String() != c.shown {
			t.Errorf("%s: %s %s %+v, want %s %s %+v", c.value, r.Level, r, got, c.level, c.shown, c.want)
		}
	}
	for _, bad := range []string{"", "much", "+", "5", "tokens=-1"} {
		if _, err := raisedBy(bad, loop.TaskLevel); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
