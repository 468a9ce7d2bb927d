package loop

import "math"

// Raise is what a person asks of a budget: its amounts replace those of the limit, or are added
// to them. A part that is zero leaves the limit as it is.
type Raise struct {
	Amounts
	Add bool `json:"add,omitempty"`
}

// Over is the limit after the raise. A sum that is too large for a number is the largest one.
func (r Raise) Over(have Amounts) Amounts {
	for _, p := range []struct{ have, given *int64 }{
		{&have.MoneyMicroUSD, &r.MoneyMicroUSD},
		{&have.Tokens, &r.Tokens},
		{&have.Attempts, &r.Attempts},
		{(*int64)(&have.Wall), (*int64)(&r.Wall)},
	} {
		switch {
		case *p.given == 0:
		case r.Add && *p.given > math.MaxInt64-*p.have:
			*p.have = math.MaxInt64
		case r.Add:
			*p.have += *p.given
		default:
			*p.have = *p.given
		}
	}
	return have
}
