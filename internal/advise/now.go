package advise

import (
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// now decides about one more loop beside those that run; n counts it too.
func (a *Advice) now(n int) {
	a.Loops = n
	a.crowd(n)
	if n == 1 {
		a.Recommendation, a.Summary = GoAhead, "Start it: no other loop runs here."
		return
	}
	a.completion()
	a.toolCalls()
	a.overhead(n)
	a.place(n)
	a.errors()
	a.paths(n)
	switch {
	case n >= hierarchy:
		a.Recommendation = Hierarchical
		a.Summary = fmt.Sprintf("Make groups of at most %d loops with a parent of their own.", groupSize)
	case a.against():
		a.Recommendation = Wait
		a.Summary = fmt.Sprintf("Wait for one of the %s that run.", text.Plural(n-1, "loop"))
	default:
		a.Recommendation = GoAhead
		a.Summary = fmt.Sprintf("Start it: %s at once are %s.", text.Plural(n, "loop"), loop.BandOf(n).Word)
	}
}

// place weighs whether there is room for one more.
func (a *Advice) place(n int) {
	r := Reason{Code: "limit", Favors: ForMany, Value: new(float64(n)), Limit: new(float64(mostLoops)), Unit: new("loops"), From: "running now", Rule: fromTax}
	r.Text = fmt.Sprintf("it would be %d at once; beyond %d there is no further gain", n, mostLoops)
	if a.MaxLoops > 0 && a.MaxLoops < mostLoops {
		r.Limit, r.Rule = new(float64(a.MaxLoops)), "limits.max_loops"
		r.Text = fmt.Sprintf("it would be %d at once; %d are allowed here", n, a.MaxLoops)
	}
	if float64(n) > *r.Limit {
		r.Favors = ForOne
	}
	a.add(r)
}
