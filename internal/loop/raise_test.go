package loop

import (
	"math"
	"testing"
	"time"
)

func TestRaise(t *testing.T) {
	t.Parallel()
	have := Amounts{Attempts: 3, Wall: time.Hour}
	given := Amounts{Attempts: 2, Tokens: 10}
	for _, c := range []struct {
		name  string
		raise Raise
		want  Amounts
	}{
		{"replaced", Raise{Amounts: given}, Amounts{Attempts: 2, Tokens: 10, Wall: time.Hour}},
		{"added", Raise{Amounts: given, Add: true}, Amounts{Attempts: 5, Tokens: 10, Wall: time.Hour}},
		{"added beyond all numbers", Raise{Amounts: Amounts{Wall: math.MaxInt64}, Add: true}, Amounts{Attempts: 3, Wall: math.MaxInt64}},
	} {
		if got := c.raise.Over(have); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
